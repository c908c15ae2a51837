package dev.sluice.lifecycle.workload;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.RequeueState;
import dev.sluice.api.workload.Workload;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a Workload does with the answers of any check controller. */
class ChecksTest extends LifeStory {
  private static final String RESERVED = "QuotaReserved True QuotaReserved";
  private static final String RUNNING = "Admitted True Admitted";

  /** Check a is for all flavors, b for both by name, x for one of them. */
  private static final String PER_FLAVOR =
      """
      {"metadata":{"name":"cq"},"spec":{"admissionChecksStrategy":{"admissionChecks":[
      {"name":"x","onFlavors":["one"]},{"name":"b","onFlavors":["two","one"]},{"name":"a"}]},
      "resourceGroups":[{"coveredResources":["cpu"],"flavors":[
      {"name":"one","resources":[{"name":"cpu","nominalQuota":1}]},
      {"name":"two","resources":[{"name":"cpu","nominalQuota":1}]}]}]}}\
      """;

  /** Checks such as {@code a Retry 60}: name, state and, if any, the seconds to wait. */
  private static String answers(String... checks) {
    return ",\"admissionChecks\":["
        + Arrays.stream(checks).map(ChecksTest::answer).collect(Collectors.joining(","))
        + "]";
  }

  private static String answer(String check) {
    String[] part = check.split(" ", 3);
    return """
    {"name":"%s","state":"%s","message":"m","lastTransitionTime":"2026-11-21T12:00:00Z"%s}\
    """
        .formatted(part[0], part[1], part.length > 2 ? ",\"requeueAfterSeconds\":" + part[2] : "");
  }

  private static String admission(String... flavors) {
    String assigned =
        Arrays.stream(flavors)
            .map("{\"name\":\"%1$s\",\"flavors\":{\"cpu\":\"%1$s\"}}"::formatted)
            .collect(Collectors.joining(","));
    return ",\"admission\":{\"clusterQueue\":\"cq\",\"podSetAssignments\":[" + assigned + "]}";
  }

  private static List<String> listed(Workload workload) {
    return workload.status().admissionChecks().stream()
        .map(check -> check.name() + " " + check.state().text())
        .toList();
  }

  @Test
  void isTakenOutForGoodWhenACheckRejectsItBeforeItHasQuota() {
    clusterQueue = read(ClusterQueue.class, CHECKED);

    Workload out = live(workload("{\"conditions\":[]" + answers("a Rejected", "b Pending") + "}"));

    assertThat(out.spec().active()).isFalse();
    assertThat(told(out, "Evicted"))
        .isEqualTo(
            "True DeactivatedDueToAdmissionCheck: The workload is deactivated due to"
                + " AdmissionCheck in Rejected state: \"a\" (m)");
    assertThat(out.status().condition("DeactivationTarget")).isEmpty();
    assertThat(listed(out)).containsExactly("a Pending", "b Pending");
    assertThat(events)
        .containsExactly("AdmissionCheckRejected", "EvictedDueToDeactivatedDueToAdmissionCheck");
  }

  @Test
  void isNotAskedToGiveWayByACheckThatWantsARetryBeforeItHasQuota() {
    clusterQueue = read(ClusterQueue.class, CHECKED);

    Workload waits = live(workload("{\"conditions\":[]" + answers("a Retry", "b Pending") + "}"));

    assertThat(waits.status().condition("Evicted")).isEmpty();
    assertThat(listed(waits)).containsExactly("a Retry", "b Pending");
  }

  @Test
  void isTakenOutWhereOneCheckRejectsAndAnotherWantsARetry() {
    clusterQueue = read(ClusterQueue.class, CHECKED);

    Workload out =
        live(
            workload(
                "{" + conditions(RESERVED) + admission() + answers("a Retry", "b Rejected") + "}"));

    assertThat(out.spec().active()).isFalse();
    assertThat(told(out, "Evicted")).startsWith("True DeactivatedDueToAdmissionCheck");
  }

  @Test
  void keepsTheCheckOfSomeFlavorsThatCountsItsRetriesUntilTheQueueHasItNoMore() {
    clusterQueue = read(ClusterQueue.class, PER_FLAVOR);
    String retried = answers("x Pending", "b Pending", "a Pending");

    assertThat(listed(live(workload("{\"conditions\":[]" + retried + "}"))))
        .as("it has not been tried yet")
        .containsExactly("a Pending", "b Pending");
    String again = retried.replaceFirst("\"message\"", "\"retryCount\":2,\"message\"");
    assertThat(listed(live(workload("{\"conditions\":[]" + again + "}"))))
        .containsExactlyInAnyOrder("a Pending", "b Pending", "x Pending");
    clusterQueue = read(ClusterQueue.class, PER_FLAVOR.replace("\"x\"", "\"y\""));
    assertThat(listed(live(workload("{\"conditions\":[]" + again + "}"))))
        .containsExactly("a Pending", "b Pending");
  }

  @Test
  void followsTheChecksOfItsQueueAlsoWhileItIsInactive() {
    clusterQueue = read(ClusterQueue.class, PER_FLAVOR);
    String inactive = QUEUED.replace("\"spec\":{", "\"spec\":{\"active\":false,");

    assertThat(listed(live(workload(inactive, "{\"conditions\":[]" + answers("x Pending") + "}"))))
        .containsExactly("a Pending", "b Pending");
  }

  @Test
  void listsTheChecksOfANewWorkloadOnlyIfItHasNoQuotaSoon() {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    String created = QUEUED.replace("\"uid\"", "\"creationTimestamp\":\"" + T + "\",\"uid\"");
    Workload waits = workload(created, "{}");

    ReconcileStep step = reconcile(waits);
    assertThat(step.isRest()).isTrue();
    assertThat(step.again()).contains(T.plusSeconds(2));

    now = T.plusSeconds(2);
    assertThat(live(waits).status().admissionChecks()).hasSize(2);
  }

  @Test
  void listsTheChecksOfAReservationAtOnce() {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    String created = QUEUED.replace("\"uid\"", "\"creationTimestamp\":\"" + T + "\",\"uid\"");
    String reserved =
        conditions("QuotaReserved True QuotaReserved")
            + ",\"admission\":{\"clusterQueue\":\"cq\",\"podSetAssignments\":[]}";

    assertThat(live(workload(created, "{" + reserved + "}")).status().admissionChecks()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "a Retry 60,  b Retry 90, 2026-11-21T12:01:30Z",
    "a Retry 60,  b Ready 90, 2026-11-21T12:01:00Z",
    "a Retry 60,  b Retry,    2026-11-21T12:01:00Z",
  })
  void waitsAsLongAsTheCheckAsksForThatWantsTheMost(String a, String b, String until) {
    clusterQueue = read(ClusterQueue.class, CHECKED);

    Workload evicted =
        live(workload("{" + conditions(RESERVED) + admission() + answers(a, b) + "}"));

    assertThat(requireNonNull(evicted.status().requeueState()).requeueAt()).isEqualTo(until);
    assertThat(told(evicted, "Evicted")).startsWith("True AdmissionCheck");
  }

  @Test
  void neverComesBackEarlierThanItWasToldBefore() {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    String later = ",\"requeueState\":{\"count\":2,\"requeueAt\":\"2026-11-21T13:00:00Z\"}";

    Workload evicted =
        live(
            workload(
                "{"
                    + conditions(RESERVED)
                    + admission()
                    + answers("a Retry 60", "b Ready")
                    + later
                    + "}"));

    assertThat(evicted.status().requeueState()).isEqualTo(new RequeueState(2, T.plusSeconds(3600)));
  }

  @Test
  void keepsHowLongACheckAskedToWaitAndCountsItsRetries() {
    clusterQueue = read(ClusterQueue.class, CHECKED);

    Workload evicted =
        live(
            workload(
                "{"
                    + conditions(RESERVED)
                    + admission()
                    + answers("a Retry 60", "b Ready 30")
                    + "}"));

    assertThat(evicted.status().admissionChecks())
        .extracting(
            AdmissionCheckState::name,
            AdmissionCheckState::requeueAfterSeconds,
            AdmissionCheckState::retryCount)
        .containsExactly(tuple("a", 60, 1), tuple("b", 30, null));
  }

  @ParameterizedTest
  @CsvSource({
    "'',      a b",
    "two,     a b",
    "one,     a b x",
    "two one, a b x",
  })
  void listsTheChecksOfTheFlavorsThatItHasOrOfAllFlavorsWhileItHasNone(
      String flavors, String checks) {
    clusterQueue = read(ClusterQueue.class, PER_FLAVOR);
    String held =
        flavors.isEmpty()
            ? "\"conditions\":[]"
            : conditions(RESERVED) + admission(flavors.split(" "));

    Workload workload = live(workload("{" + held + "}"));

    assertThat(listed(workload))
        .containsExactlyElementsOf(
            Arrays.stream(checks.split(" ")).map(it -> it + " Pending").toList());
  }

  @Test
  void waitsForACheckThatItsQueueGetsWhileItHasQuota() {
    clusterQueue = read(ClusterQueue.class, CHECKED);

    Workload waits =
        live(workload("{" + conditions(RESERVED) + admission() + answers("b Ready") + "}"));

    assertThat(listed(waits)).containsExactly("a Pending", "b Ready");
    assertThat(told(waits, "Admitted")).startsWith("False UnsatisfiedAdmissionChecks");
  }

  @Test
  void isAdmittedWhenItsQueueLosesTheCheckThatItWaitsFor() {
    clusterQueue = read(ClusterQueue.class, CHECKED);

    Workload admitted =
        live(
            workload(
                "{"
                    + conditions(RESERVED)
                    + admission()
                    + answers("a Ready", "b Ready", "old Pending")
                    + "}"));

    assertThat(listed(admitted)).containsExactly("a Ready", "b Ready");
    assertThat(told(admitted, "Admitted")).startsWith("True");
  }

  @Test
  void runsOnWhenItsQueueGetsAnotherCheck() {
    clusterQueue = read(ClusterQueue.class, CHECKED);

    Workload running =
        live(
            workload("{" + conditions(RESERVED, RUNNING) + admission() + answers("b Ready") + "}"));

    assertThat(listed(running)).containsExactly("a Pending", "b Ready");
    assertThat(told(running, "Admitted")).startsWith("True");
    assertThat(running.status().condition("Evicted")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "Retry,    true,  AdmissionCheck",
    "Rejected, false, DeactivatedDueToAdmissionCheck",
  })
  void givesWayWhileItRunsWhenACheckTakesItsAnswerBack(
      String state, boolean active, String reason) {
    clusterQueue = read(ClusterQueue.class, CHECKED);

    Workload evicted =
        live(
            workload(
                "{"
                    + conditions(RESERVED, RUNNING)
                    + admission()
                    + answers("a " + state, "b Ready")
                    + "}"));

    assertThat(evicted.spec().active()).isEqualTo(active);
    assertThat(told(evicted, "Evicted")).startsWith("True " + reason + ":");
    assertThat(told(evicted, "QuotaReserved")).as("until its pods are gone").startsWith("True");
  }
}
