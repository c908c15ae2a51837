package dev.sluice.lifecycle.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.PodSetUpdate;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the answers of an autoscaler mean for the check. */
class AnswersTest extends ProvisioningStory {
  private static final String RUNNING = RESERVED + "," + condition("Admitted", true);
  private static final String READY =
      PENDING.replace("Pending", "Ready").replace("'message':''", "'message':'was ready'");

  /** Conditions such as {@code Accepted+ Provisioned-}, each with its name as the message. */
  private static String[] conditions(String words) {
    return Stream.of(words.split(" "))
        .filter(it -> !it.isEmpty())
        .map(
            it -> {
              String type = it.substring(0, it.length() - 1);
              return condition(type, it.endsWith("+"), type.toLowerCase(Locale.ROOT));
            })
        .toArray(String[]::new);
  }

  @ParameterizedTest
  @CsvSource({
    "'',                                Pending:",
    "Accepted+,                         Pending: accepted",
    "Accepted+ Provisioned-,            Pending: provisioned",
    "Accepted+ Provisioned+,            Ready: provisioned",
    "Accepted+ Failed+,                 Retry: Retrying after failure: failed",
    "Provisioned+ Failed+,              Retry: Retrying after failure: failed",
    "Provisioned+ BookingExpired+, Retry: Retrying after booking expired: bookingexpired",
    "Provisioned+ CapacityRevoked+,     Rejected: capacityrevoked",
    "Failed+ CapacityRevoked+,          Retry: Retrying after failure: failed",
    "Failed- BookingExpired- CapacityRevoked-, Pending:",
  })
  void whatAnAutoscalerSaysToAWorkloadThatWaits(String conditions, String told) {
    live();
    says("w-nodes-1", conditions(conditions));

    live();

    assertThat(told().strip()).isEqualTo(told);
  }

  @ParameterizedTest
  @CsvSource({
    "Provisioned+,                  Ready: was ready",
    "Provisioned-,                  Ready: was ready",
    "Provisioned+ BookingExpired+,  Ready: was ready",
    "Provisioned+ CapacityRevoked+, Rejected: capacityrevoked",
    "Failed+,                       Retry: Retrying after failure: failed",
  })
  void whatAnAutoscalerSaysToAWorkloadThatRuns(String conditions, String told) {
    live();
    holds(RUNNING, READY);
    says("w-nodes-1", conditions(conditions));

    live();

    assertThat(told()).isEqualTo(told);
    assertThat(requests).containsKey("w-nodes-1");
  }

  @ParameterizedTest
  @CsvSource({
    "0, Retry,    60",
    "1, Retry,    120",
    "2, Retry,    200",
    "3, Rejected, 60",
  })
  void aFailureIsRetriedSoOftenEachTimeLater(int retries, String state, int seconds) {
    checks.put(
        "nodes",
        active("{'provisioningClassName':'class','retryStrategy':{'backoffMaxSeconds':200}}"));
    evicted(retries, RESERVED);
    live();
    says("w-nodes-" + (retries + 1), condition("Failed", true, "no nodes"));

    live();

    assertThat(state())
        .extracting(
            it -> it.state().text(),
            AdmissionCheckState::requeueAfterSeconds,
            AdmissionCheckState::retryCount)
        .containsExactly(state, seconds, retries);
    assertThat(state().message())
        .isEqualTo(state.equals("Retry") ? "Retrying after failure: no nodes" : "no nodes");
  }

  @ParameterizedTest
  @CsvSource({
    "backoffLimitCount,   0, Rejected,",
    "backoffLimitCount,  99, Retry, 60",
    "backoffBaseSeconds, -5, Retry, 0",
  })
  void theStrategyDecides(String member, int value, String state, Integer seconds) {
    checks.put(
        "nodes",
        active(
            "{'provisioningClassName':'class','retryStrategy':{'%s':%d}}"
                .formatted(member, value)));
    live();
    says("w-nodes-1", condition("Failed", true));

    live();

    assertThat(state().state().text()).isEqualTo(state);
    assertThat(state().requeueAfterSeconds()).isEqualTo(seconds);
  }

  @Test
  void theLastOfVeryManyRetriesComesAfterTheLongestPause() {
    checks.put(
        "nodes",
        active("{'provisioningClassName':'class','retryStrategy':{'backoffLimitCount':2000}}"));
    evicted(1999, RESERVED);
    live();
    says("w-nodes-2000", condition("Failed", true));

    live();

    assertThat(state().requeueAfterSeconds()).isEqualTo(1800);
  }

  @Test
  void thePodsLearnWhichCapacityIsTheirs() {
    checks.put(
        "nodes",
        active(
            """
            {'provisioningClassName':'class','podSetUpdates':{'nodeSelector':[
            {'key':'example.com/group','valueFromProvisioningClassDetail':'Group'},
            {'key':'example.com/other','valueFromProvisioningClassDetail':'Other'}]}}\
            """));
    live();
    request("w-nodes-1")
        .set(
            "status",
            read(
                "{'provisioningClassDetails':{'Group':'g-1','More':'x'},'conditions':["
                    + condition("Provisioned", true, "here")
                    + "]}"));

    live();

    PodSetUpdate update = state().podSetUpdates().getFirst();
    assertThat(state().podSetUpdates()).hasSize(1);
    assertThat(update.name()).isEqualTo("main");
    assertThat(update.annotations())
        .containsExactly(
            entry("autoscaling.x-k8s.io/consume-provisioning-request", "w-nodes-1"),
            entry("autoscaling.x-k8s.io/provisioning-class-name", "class"));
    assertThat(update.nodeSelector()).containsOnly(entry("example.com/group", "g-1"));
    assertThat(update.labels()).isEmpty();
    assertThat(update.tolerations()).isEmpty();
  }

  @Test
  void aDetailThatNoNodeCanHaveAsALabelIsTold() {
    checks.put(
        "nodes",
        active(
            """
            {'provisioningClassName':'class','podSetUpdates':{'nodeSelector':[
            {'key':'k','valueFromProvisioningClassDetail':'Group'}]}}\
            """));
    live();
    request("w-nodes-1")
        .set(
            "status",
            read(
                "{'provisioningClassDetails':{'Group':'not a label'},'conditions':["
                    + condition("Provisioned", true)
                    + "]}"));

    live();

    assertThat(told())
        .isEqualTo(
            "Pending: ProvisioningRequest w-nodes-1: status.provisioningClassDetails[Group] cannot"
                + " be the value of node label k");
  }

  @Test
  void theTimeOfAStateChangesOnlyWithTheState() {
    live();
    now = T.plusSeconds(10);
    says("w-nodes-1", condition("Provisioned", false, "in an hour"));
    live();
    assertThat(state().lastTransitionTime()).isEqualTo(T.minusSeconds(3600));

    now = T.plusSeconds(20);
    says("w-nodes-1", condition("Provisioned", true));
    live();

    assertThat(state().lastTransitionTime()).isEqualTo(T.plusSeconds(20));
    assertThat(events)
        .containsExactly(
            "ProvisioningRequestCreated: Created ProvisioningRequest: \"w-nodes-1\"",
            "AdmissionCheckUpdated: Admission check nodes updated state from Pending to Ready");
  }

  @Test
  void theStatesOfOtherControllersStayAsTheyAre() {
    String other = PENDING.replace("'nodes'", "'approval'").replace("Pending", "Rejected");
    holds(RESERVED, other + "," + PENDING);
    live();
    says("w-nodes-1", condition("Provisioned", true));

    live();

    assertThat(typed().status().admissionChecks())
        .extracting(AdmissionCheckState::name, it -> it.state().text())
        .containsExactly(tuple("approval", "Rejected"), tuple("nodes", "Ready"));
  }

  @ParameterizedTest
  @CsvSource({"Pending, Pending: the check is not active", "Ready, Ready:", "Retry, Retry:"})
  void aCheckThatIsNotActiveAsksForNothing(String state, String told) {
    checks.put("nodes", new CheckActivity.Inactive("BadParametersRef", "none"));
    holds(RESERVED, PENDING.replace("Pending", state));

    live();

    assertThat(told().strip()).isEqualTo(told);
    assertThat(requests).isEmpty();
    assertThat(templates).isEmpty();
  }

  @Test
  void asksOnceTheCheckIsActive() {
    checks.put("nodes", new CheckActivity.Inactive("BadParametersRef", "none"));
    live();
    checks.put("nodes", active("{'provisioningClassName':'class'}"));

    live();

    assertThat(requests).containsOnlyKeys("w-nodes-1");
  }
}
