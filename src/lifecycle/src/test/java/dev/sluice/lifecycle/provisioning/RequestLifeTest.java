package dev.sluice.lifecycle.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.write.Write;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How long requests live, and what stands in their way. */
class RequestLifeTest extends ProvisioningStory {
  private static final String EVICTED = RESERVED + "," + condition("Evicted", true);
  private static final String FINISHED = RESERVED + "," + condition("Finished", true);
  private static final String GIVEN_BACK = condition("QuotaReserved", false);
  private static final String RUNNING = RESERVED + "," + condition("Admitted", true);

  @BeforeEach
  void asks() {
    live();
    assertThat(requests).containsOnlyKeys("w-nodes-1");
    assertThat(templates).containsOnlyKeys("ppt-w-nodes-1-main");
  }

  private void nothingIsLeft() {
    assertThat(requests).isEmpty();
    assertThat(templates).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void goesWhenTheWorkloadIsFinished(boolean cleansUpOnEviction) {
    this.cleansUpOnEviction = cleansUpOnEviction;
    holds(FINISHED, PENDING);

    live();

    nothingIsLeft();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void goesWhenTheWorkloadIsGone(boolean cleansUpOnEviction) {
    this.cleansUpOnEviction = cleansUpOnEviction;
    workload = null;

    live();

    nothingIsLeft();
  }

  @ParameterizedTest
  @CsvSource({"evicted, true, 0", "evicted, false, 1", "back, true, 0", "back, false, 1"})
  void goesWithTheQuotaIfTheGateIsOn(String how, boolean gate, int left) {
    cleansUpOnEviction = gate;
    holds(how.equals("evicted") ? EVICTED : GIVEN_BACK, PENDING);

    live();

    assertThat(requests).hasSize(left);
    assertThat(templates).hasSize(left);
  }

  @Test
  void goesWhenTheWorkloadIsDeactivated() {
    workload().withObjectProperty("spec").put("active", false);

    live();

    nothingIsLeft();
  }

  /** A label that is left from a time with the gate says nothing. */
  @ParameterizedTest
  @CsvSource({"true, 0", "false, 1"})
  void goesFromAParentOfVariantsIfThereAreAny(boolean gate, int left) {
    splits = gate;
    workload()
        .withObjectProperty("metadata")
        .withObjectProperty("labels")
        .put("kueue.x-k8s.io/concurrent-admission-parent", "true");

    live();

    assertThat(requests).hasSize(left);
  }

  @Test
  void staysWhileTheWorkloadRuns() {
    holds(RUNNING, PENDING.replace("Pending", "Ready"));

    live();

    assertThat(requests).containsOnlyKeys("w-nodes-1");
    assertThat(templates).containsOnlyKeys("ppt-w-nodes-1-main");
  }

  @Test
  void aWorkloadThatRunsAsksForNothingNew() {
    String added = PENDING.replace("nodes", "more");
    checks.put("more", active("{'provisioningClassName':'class'}"));
    holds(RUNNING, PENDING.replace("Pending", "Ready") + "," + added);

    live();

    assertThat(requests).containsOnlyKeys("w-nodes-1");
  }

  @Test
  void thePodTemplatesGoFirstSinceNothingElseLeadsToThem() {
    holds(EVICTED, PENDING);

    assertThat(plan().writes())
        .allMatch(Write.Delete.class::isInstance)
        .extracting(it -> it.target().kind().kind())
        .containsExactly("PodTemplate", "ProvisioningRequest");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theNextAttemptTakesThePlaceOfTheLast(boolean gate) {
    cleansUpOnEviction = gate;
    evicted(1, EVICTED);
    live();
    evicted(1, RESERVED);

    live();

    assertThat(requests).containsOnlyKeys("w-nodes-2");
    assertThat(templates).containsOnlyKeys("ppt-w-nodes-2-main");
    assertThat(told()).isEqualTo("Pending: ");
  }

  @Test
  void goesWhenTheQueueHasTheCheckNoMore() {
    holds(RESERVED, "");

    live();

    nothingIsLeft();
  }

  @Test
  void staysWhileTheAdmissionCheckIsNotSeen() {
    checks.clear();

    live();

    assertThat(requests).containsOnlyKeys("w-nodes-1");
  }

  @Test
  void eachCheckHasARequestOfItsOwn() {
    checks.put("more", active("{'provisioningClassName':'other'}"));
    holds(RESERVED, PENDING.replace("nodes", "more") + "," + PENDING);

    live();

    assertThat(requests).containsOnlyKeys("w-more-1", "w-nodes-1");
    assertThat(request("w-more-1").at("/spec/provisioningClassName").asText()).isEqualTo("other");
  }

  @Test
  void theRequestOfAnEarlierWorkloadOfThatNameGoesFirst() {
    request("w-nodes-1").withObjectProperty("metadata").put("uid", "old");
    ((ObjectNode) request("w-nodes-1").at("/metadata/ownerReferences/0")).put("uid", "before");

    live();

    assertThat(request("w-nodes-1").at("/metadata/ownerReferences/0/uid").asText()).isEqualTo("u");
    assertThat(request("w-nodes-1").at("/metadata/uid").asText()).isNotEqualTo("old");
  }

  @Test
  void theAnswerToADeletedRequestDoesNotCount() {
    says("w-nodes-1", condition("Provisioned", true));
    leaving.add(request("w-nodes-1").at("/metadata/uid").asText());

    live();

    assertThat(told()).isEqualTo("Pending: ");
  }

  @Test
  void asksAgainWhenSomebodyDeletesTheRequestBeforeTheWorkloadRuns() {
    says("w-nodes-1", condition("Provisioned", true));
    live();
    assertThat(told()).isEqualTo("Ready: ");
    requests.clear();

    live();

    assertThat(told()).isEqualTo("Pending: ");
    assertThat(state().podSetUpdates()).isEmpty();
    assertThat(requests).containsOnlyKeys("w-nodes-1");
  }

  @Test
  void aRequestOfSomebodyElseIsLeftAloneAndTold() {
    request("w-nodes-1").withObjectProperty("metadata").remove("ownerReferences");

    assertThat(live()).isTrue();

    assertThat(told())
        .isEqualTo("Pending: ProvisioningRequest w-nodes-1 exists and is not one of this workload");
    assertThat(requests).containsOnlyKeys("w-nodes-1");
  }

  @Test
  void aPodTemplateOfSomebodyElseIsLeftAloneAndTold() {
    requests.clear();
    templates.put(
        "ppt-w-nodes-1-main",
        read("{'metadata':{'name':'ppt-w-nodes-1-main','namespace':'ns','uid':'x'}}"));

    assertThat(live()).isTrue();

    assertThat(told())
        .isEqualTo(
            "Pending: PodTemplate ppt-w-nodes-1-main exists and is not one of this workload");
    assertThat(requests).isEmpty();
    assertThat(template("ppt-w-nodes-1-main").at("/metadata/uid").asText()).isEqualTo("x");
  }

  @Test
  void aPodTemplateThatADeletedRequestLeftIsReplaced() {
    String left = template("ppt-w-nodes-1-main").at("/metadata/uid").asText();
    requests.clear();

    assertThat(live()).isFalse();

    assertThat(requests).containsOnlyKeys("w-nodes-1");
    assertThat(template("ppt-w-nodes-1-main").at("/metadata/uid").asText()).isNotEqualTo(left);
  }

  @Test
  void aPodTemplateStaysWhileItsRequestMayOnlyNotBeSeenYet() {
    requests.clear();
    knowsRequests = false;

    assertThat(live()).isTrue();

    assertThat(templates).hasSize(1);
    assertThat(requests).isEmpty();
  }

  @Test
  void waitsForAPodTemplateThatIsBeingDeleted() {
    requests.clear();
    leaving.add(template("ppt-w-nodes-1-main").at("/metadata/uid").asText());

    assertThat(live()).isTrue();

    assertThat(requests).isEmpty();
    templates.clear();
    assertThat(live()).isFalse();
    assertThat(requests).containsOnlyKeys("w-nodes-1");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPodTemplateWithoutARequestGoesWithTheQuota(boolean gate) {
    cleansUpOnEviction = gate;
    requests.clear();
    templates.clear();
    Write.Create template = (Write.Create) plan().writes().getFirst();
    templates.put(template.target().name(), template.body());
    holds(GIVEN_BACK, PENDING);

    live();

    assertThat(templates).isEmpty();
  }

  /** The process was killed between the creation of a request and the adoption. */
  @Test
  void aPodTemplateThatARequestHasNotAdoptedYetStaysAsLongAsTheRequest() {
    cleansUpOnEviction = false;
    requests.clear();
    templates.clear();
    List<Write> writes = plan().writes();
    for (Write write : writes) {
      if (write instanceof Write.Create(var target, var body, var _)) {
        boolean isTemplate = target.kind().equals(ProvisioningKinds.POD_TEMPLATE);
        (isTemplate ? templates : requests).put(target.name(), body);
      }
    }
    assertThat(requests).hasSize(1);
    holds(GIVEN_BACK, PENDING);

    live();

    assertThat(requests).hasSize(1);
    assertThat(templates).hasSize(1);
  }

  @Test
  void everyWriteDemandsTheObjectThatWasSeen() {
    says("w-nodes-1", condition("Provisioned", true));
    List<Write> writes = plan().writes();

    assertThat(writes)
        .filteredOn(Write.MergePatch.class::isInstance)
        .extracting(it -> ((Write.MergePatch) it).resourceVersion())
        .containsExactly("7");
    holds(EVICTED, PENDING);
    assertThat(plan().writes()).allSatisfy(it -> assertThat(it.target().uid()).isNotEmpty());
  }
}
