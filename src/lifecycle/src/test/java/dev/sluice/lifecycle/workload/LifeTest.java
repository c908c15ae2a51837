package dev.sluice.lifecycle.workload;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.RequeueState;
import dev.sluice.api.workload.UnhealthyNode;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.nodes.Health;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The life of a Workload, one look after the other. */
class LifeTest extends LifeStory {
  @Test
  void listsTheChecksOfItsQueueInOrderAndKeepsWhatTheySaid() {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    Workload listed =
        live(
            workload(
                """
                {"admissionChecks":[{"name":"b","state":"Ready","message":"ok",
                "lastTransitionTime":"2026-11-21T11:00:00Z"},{"name":"old","state":"Pending",
                "message":"","lastTransitionTime":"2026-11-21T11:00:00Z"}]}\
                """));

    assertThat(listed.status().admissionChecks())
        .extracting(AdmissionCheckState::name, AdmissionCheckState::state)
        .containsExactly(tuple("a", CheckState.PENDING), tuple("b", CheckState.READY));
  }

  @Test
  void isAdmittedWhenTheLastCheckIsReady() {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    String reserved = conditions("QuotaReserved True QuotaReserved");
    now = T.plusSeconds(5);

    Workload pending = live(workload("{" + reserved + checks("Ready", "Pending") + "}"));
    assertThat(told(pending, "Admitted"))
        .isEqualTo("False UnsatisfiedAdmissionChecks: The workload has not all checks ready");

    Workload admitted = live(workload("{" + reserved + checks("Ready", "Ready") + "}"));
    assertThat(told(admitted, "Admitted")).isEqualTo("True Admitted: The workload is admitted");
    assertThat(events).containsExactly("Admitted");
  }

  @Test
  void givesWayWhenACheckAsksToTryAgain() {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    Workload evicted =
        live(
            workload(
                "{"
                    + conditions("QuotaReserved True QuotaReserved", "Admitted True Admitted")
                    + checks("Retry", "Ready")
                    + "}"));

    assertThat(told(evicted, "Evicted"))
        .isEqualTo("True AdmissionCheck: Evicted due to AdmissionCheck in Retry state: \"a\" (m)");
    assertThat(told(evicted, "QuotaReserved")).startsWith("True");
    assertThat(evicted.status().admissionChecks())
        .extracting(AdmissionCheckState::message, AdmissionCheckState::retryCount)
        .containsExactly(
            tuple("Reset to Pending after eviction. Previously: Retry", 1),
            tuple("Reset to Pending after eviction. Previously: Ready", null));
    assertThat(events).containsExactly("EvictedDueToAdmissionCheck");
  }

  @Test
  void isTakenOutForGoodWhenACheckRejectsIt() {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    Workload out =
        live(
            workload(
                "{"
                    + conditions("QuotaReserved True QuotaReserved")
                    + checks("Rejected", "Pending")
                    + "}"));

    assertThat(out.spec().active()).isFalse();
    assertThat(told(out, "Evicted"))
        .isEqualTo(
            "True DeactivatedDueToAdmissionCheck: The workload is deactivated due to"
                + " AdmissionCheck in Rejected state: \"a\" (m)");
    assertThat(out.status().condition("DeactivationTarget")).isEmpty();
    assertThat(requireNonNull(out.status().schedulingStats()).evictions())
        .extracting(c -> c.reason() + "/" + c.underlyingCause())
        .containsExactly("Deactivated/AdmissionCheck");
    assertThat(events)
        .containsExactly("AdmissionCheckRejected", "EvictedDueToDeactivatedDueToAdmissionCheck");
  }

  @ParameterizedTest
  @CsvSource({
    "ClusterQueueStopped, ClusterQueueRestarted",
    "LocalQueueStopped, LocalQueueRestarted",
    "AdmissionCheck, BackoffFinished",
    "PodsReadyTimeout, BackoffFinished",
    "Deactivated, Reactivated",
    "DeactivatedDueToAdmissionCheck, DeactivatedDueToAdmissionCheck",
  })
  void isQueuedAgainWhenWhatKeptItOutIsOver(String kept, String after) {
    Workload back = live(workload("{" + conditions("Requeued False " + kept) + "}"));

    assertThat(back.status().condition("Requeued").orElseThrow().reason()).isEqualTo(after);
  }

  @Test
  void waitsForItsBackoff() {
    String status =
        "{"
            + conditions("Requeued False PodsReadyTimeout")
            + ",\"requeueState\":{\"count\":2,\"requeueAt\":\"2026-11-21T12:01:00Z\"}}";
    assertThat(reconcile(workload(status)).again()).contains(T.plusSeconds(60));

    now = T.plusSeconds(60);
    Workload back = live(workload(status));
    assertThat(told(back, "Requeued"))
        .isEqualTo("True BackoffFinished: The workload backoff was finished");
    assertThat(back.status().requeueState()).isEqualTo(new RequeueState(2, null));
  }

  @Test
  void givesWayWhenItsPodsAreNotReadyInTimeEachTimeForLonger() {
    Workload starting = workload("{" + ADMITTED + "}");
    assertThat(reconcile(starting).again()).contains(T.plus(Duration.ofMinutes(30)));

    now = T.plus(Duration.ofMinutes(30));
    Workload first = live(starting);
    assertThat(told(first, "Evicted"))
        .isEqualTo("True PodsReadyTimeout: Exceeded the PodsReady timeout ns/w");
    assertThat(first.status().requeueState()).isEqualTo(new RequeueState(1, now.plusSeconds(60)));

    Workload second = live(workload("{" + ADMITTED + ",\"requeueState\":{\"count\":1}}"));
    assertThat(second.status().requeueState()).isEqualTo(new RequeueState(2, now.plusSeconds(100)));

    Workload third = live(workload("{" + ADMITTED + ",\"requeueState\":{\"count\":2}}"));
    assertThat(third.spec().active()).isFalse();
    assertThat(told(third, "Evicted")).startsWith("True DeactivatedDueToRequeuingLimitExceeded");
  }

  /** All it counts stands in its status, so a scheduler that starts later sees it as it is. */
  @Test
  void countsItsTimeoutsAnewOnceItIsDeactivatedAndGoesOnCountingItsEvictions() {
    now = T.plus(Duration.ofMinutes(30));
    String counts =
        ",\"schedulingStats\":{\"evictions\":[{\"reason\":\"PodsReadyTimeout\","
            + "\"underlyingCause\":\"WaitForStart\",\"count\":2}]}";

    Workload out =
        live(workload("{" + ADMITTED + ",\"requeueState\":{\"count\":2}" + counts + "}"));

    assertThat(out.status().requeueState()).isNull();
    assertThat(requireNonNull(out.status().schedulingStats()).evictions())
        .extracting(c -> c.reason() + "/" + c.underlyingCause() + "=" + c.count())
        .containsExactlyInAnyOrder(
            "PodsReadyTimeout/WaitForStart=2", "Deactivated/RequeuingLimitExceeded=1");
    assertThat(reconcile(out).isRest()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"WaitForStart, 30, WaitForStart", "WaitForRecovery, 5, WaitForRecovery"})
  void countsWhetherItsPodsNeverCameUpOrDidNotComeBack(String ready, int minutes, String cause) {
    String status = ADMITTED.replace("}],", "}," + condition("PodsReady False " + ready) + "],");
    now = T.plus(Duration.ofMinutes(minutes));

    Workload late = live(workload("{" + status + "}"));

    assertThat(told(late, "Evicted")).startsWith("True PodsReadyTimeout: ");
    assertThat(requireNonNull(late.status().schedulingStats()).evictions())
        .extracting(c -> c.reason() + "/" + c.underlyingCause())
        .containsExactly("PodsReadyTimeout/" + cause);
  }

  @Test
  void givesWayForItsPodsFirstWhereItsTimeIsUpToo() {
    String limited =
        QUEUED.replace("\"podSets\"", "\"maximumExecutionTimeSeconds\":100,\"podSets\"");
    now = T.plus(Duration.ofMinutes(30));

    Workload late = live(workload(limited, "{" + ADMITTED + "}"));

    assertThat(told(late, "Evicted")).startsWith("True PodsReadyTimeout: ");
    assertThat(late.spec().active()).isTrue();
  }

  @Test
  void isTakenOutWhenItRanTooLongCountingWhatItRanBefore() {
    String limited =
        QUEUED.replace("\"podSets\"", "\"maximumExecutionTimeSeconds\":100,\"podSets\"");
    String ready =
        ADMITTED.replace(
            "]",
            ",{\"type\":\"PodsReady\",\"status\":\"True\","
                + "\"reason\":\"Started\",\"message\":\"\",\"lastTransitionTime\":\"2026-11-21T12:00:00Z\"}]");
    Workload running =
        workload(limited, "{" + ADMITTED + ",\"accumulatedPastExecutionTimeSeconds\":40}");
    assertThat(ready).isNotEqualTo(ADMITTED);
    assertThat(reconcile(running).again()).contains(T.plusSeconds(60));

    now = T.plusSeconds(60);
    Workload out = live(running);
    assertThat(out.spec().active()).isFalse();
    assertThat(told(out, "Evicted")).contains("DeactivatedDueToMaximumExecutionTimeExceeded");
    assertThat(out.status().accumulatedPastExecutionTimeSeconds()).isNull();
    assertThat(events)
        .containsExactly(
            "MaximumExecutionTimeExceeded",
            "EvictedDueToDeactivatedDueToMaximumExecutionTimeExceeded");
  }

  @ParameterizedTest(name = "{0} {1} of {3} marked {4}, {5}: {6} {7}")
  @CsvSource({
    "WorkloadPriorityClass, high, owned, 5,   high=50,  '',     100, ''",
    "WorkloadPriorityClass, high, owned, 5,   low=5,    '',     100, ''",
    "WorkloadPriorityClass, high, owned, 5,   high=100, '',     5,   high=100",
    "WorkloadPriorityClass, high, owned, 5,   high=100, edited, 5,   high=100",
    "WorkloadPriorityClass, high, owned, 5,   '',       edited, 5,   high=100",
    "WorkloadPriorityClass, high, owned, 5,   '',       behind, 100, ''",
    "WorkloadPriorityClass, high, owned, 5,   '',       '',     100, ''",
    "WorkloadPriorityClass, high, '',    5,   '',       '',     5,   ''",
    "WorkloadPriorityClass, high, '',    5,   '',       edited, 5,   high=100",
    "WorkloadPriorityClass, high, '',    5,   '',       behind, 100, ''",
    "WorkloadPriorityClass, high, '',    5,   high=50,  '',     100, ''",
    "WorkloadPriorityClass, high, owned, 100, '',       '',     100, ''",
    "WorkloadPriorityClass, high, owned, 100, high=100, '',     100, ''",
    "WorkloadPriorityClass, gone, owned, 5,   gone=50,  '',     5,   gone=50",
    "PriorityClass,         high, owned, 5,   '',       '',     5,   ''",
  })
  void followsItsClassWhenTheClassChangesAndKeepsAPriorityThatWasEditedByHand(
      String kind,
      String name,
      String owner,
      int before,
      String mark,
      String seen,
      int priority,
      String then) {
    String key = "sluice.dev/edited-priority";
    edited = seen.equals("edited");
    behind = seen.equals("behind");
    String of =
        "\"priority\":%d,\"priorityClassRef\":{\"group\":\"%s\",\"kind\":\"%s\",\"name\":\"%s\"},"
            .formatted(
                before,
                kind.equals("PriorityClass") ? "scheduling.k8s.io" : "kueue.x-k8s.io",
                kind,
                name);
    String owners =
        owner.isEmpty()
            ? ""
            : "\"ownerReferences\":[{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\","
                + "\"name\":\"j\",\"uid\":\"j\",\"controller\":true}],";
    String annotations =
        owners + (mark.isEmpty() ? "" : "\"annotations\":{\"%s\":\"%s\"},".formatted(key, mark));
    Workload followed =
        live(
            workload(
                QUEUED
                    .replace("\"podSets\"", of + "\"podSets\"")
                    .replace("\"uid\"", annotations + "\"uid\""),
                "{}"));

    assertThat(followed.spec().priority()).isEqualTo(priority);
    assertThat(followed.metadata().annotations().getOrDefault(key, "")).isEqualTo(then);
  }

  @Test
  void keepsThePriorityThatItsManagerInAnotherClusterGaveIt() {
    String ref =
        "\"priority\":5,\"priorityClassRef\":{\"group\":\"kueue.x-k8s.io\","
            + "\"kind\":\"WorkloadPriorityClass\",\"name\":\"high\"},";
    String metadata =
        "\"labels\":{\"kueue.x-k8s.io/multikueue-origin\":\"m\"},"
            + "\"annotations\":{\"sluice.dev/edited-priority\":\"high=50\"},";
    Workload copy =
        live(
            workload(
                QUEUED
                    .replace("\"podSets\"", ref + "\"podSets\"")
                    .replace("\"uid\"", metadata + "\"uid\""),
                "{}"));

    assertThat(copy.spec().priority()).isEqualTo(5);
  }

  @Test
  void isTakenOutAnewWhereACheckRejectsItAfterItWasActivatedAgain() {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    Workload out =
        live(
            workload(
                "{"
                    + conditions(
                        "QuotaReserved False Deactivated m",
                        "Evicted True DeactivatedDueToAdmissionCheck m")
                    + checks("Rejected", "Pending")
                    + "}"));

    assertThat(out.spec().active()).isFalse();
    assertThat(out.status().condition("DeactivationTarget")).as("it would stick").isEmpty();
    assertThat(out.status().admissionChecks())
        .extracting(AdmissionCheckState::state)
        .containsOnly(CheckState.PENDING);
  }

  @Test
  void isNotToldOfAGateWhileItIsOnHold() {
    String held =
        QUEUED.replace(
            "\"uid\"",
            "\"annotations\":{\"kueue.x-k8s.io/admission-gated-by\":\"team-a\"},\"uid\"");

    Workload same =
        live(workload(held, "{" + conditions("QuotaReserved False OnHold on hold") + "}"));

    assertThat(told(same, "QuotaReserved")).isEqualTo("False OnHold: on hold");
    assertThat(events).isEmpty();
  }

  @Test
  void isHeldBackAsLongAsItsAnnotationSays() {
    String gated =
        QUEUED.replace(
            "\"uid\"",
            "\"annotations\":{\"kueue.x-k8s.io/admission-gated-by\":\"team-a\"},\"uid\"");
    Workload held = live(workload(gated, "{}"));
    assertThat(told(held, "QuotaReserved"))
        .isEqualTo("False AdmissionGated: Admission is gated by: team-a");

    Workload cleared =
        live(
            workload(
                "{"
                    + conditions("QuotaReserved False AdmissionGated Admission is gated by: team-a")
                    + "}"));
    assertThat(told(cleared, "QuotaReserved"))
        .isEqualTo(
            "False PendingEvaluation: AdmissionGatedBy cleared, waiting for quota reservation");
    assertThat(events).containsExactly("AdmissionGated", "AdmissionGateCleared");
  }

  @Test
  void isLetGoWhenNobodyOwnsItAnyMore() {
    String orphan =
        QUEUED.replace(
            "\"uid\"",
            "\"labels\":{\"kueue.x-k8s.io/job-uid\":\"j\"},"
                + "\"finalizers\":[\"kueue.x-k8s.io/resource-in-use\",\"other\"],\"uid\"");
    Workload finished = live(workload(orphan, "{" + ADMITTED + "}"));

    assertThat(told(finished, "Finished"))
        .isEqualTo("True OwnerNotFound: The workload's owner no longer exists");
    assertThat(finished.metadata().finalizers()).containsExactly("other");

    String deleted =
        orphan.replace("\"uid\":\"u\"", "\"uid\":\"u\",\"deletionTimestamp\":\"" + T + "\"");
    Workload gone = live(workload(deleted, "{}"));
    assertThat(gone.metadata().finalizers()).containsExactly("other");
    assertThat(gone.status().condition("Finished")).isEmpty();
  }

  @Test
  void isDeletedSoLongAfterItFinished() {
    String kept =
        QUEUED.replace("\"uid\"", "\"finalizers\":[\"kueue.x-k8s.io/resource-in-use\"],\"uid\"");
    Workload finished = workload(kept, "{" + conditions("Finished True Succeeded") + "}");
    assertThat(reconcile(finished).again()).contains(T.plus(Duration.ofHours(1)));

    now = T.plus(Duration.ofHours(1));
    ReconcileStep step = reconcile(finished);
    assertThat(step.writes())
        .extracting(write -> write.getClass().getSimpleName())
        .containsExactly("MergePatch", "Delete", "Event");
  }

  @Test
  void everyPatchDemandsTheVersionThatItWasMadeFor() {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    live(workload("{" + conditions("DeactivationTarget True AdmissionCheck m") + "}"));

    assertThat(written)
        .isNotEmpty()
        .allSatisfy(
            write -> assertThat(((Write.MergePatch) write).resourceVersion()).isEqualTo("7"));
  }

  @Test
  void namesAFailedNodeUntilItIsBackAndLooksAgainWhenThatIsDue() {
    health = new Health(List.of("n1"), List.of(), Optional.of(now.plusSeconds(10)));
    Workload failed = live(workload("{" + ADMITTED + "}"));

    assertThat(failed.status().unhealthyNodes()).containsExactly(new UnhealthyNode("n1"));
    assertThat(failed.status().condition("Evicted")).isEmpty();
    assertThat(reconcile(failed).again()).contains(now.plusSeconds(10));

    health = Health.GOOD;
    assertThat(live(failed).status().unhealthyNodes()).isEmpty();
  }

  @Test
  void givesWayWhenSeveralNodesFail() {
    health = new Health(List.of("n1", "n2"), List.of(), Optional.empty());

    Workload evicted = live(workload("{" + ADMITTED + "}"));

    assertThat(told(evicted, "Evicted"))
        .isEqualTo(
            "True NodeFailures: Workload eviction triggered due to multiple TAS assigned node"
                + " failures, including: n1, n2");
    assertThat(events).containsExactly("EvictedDueToNodeFailures");
    assertThat(evicted.status().unhealthyNodes()).isEmpty();
  }

  /** One with two pods that is placed so, with these conditions beside those of an admission. */
  private static Workload placed(int pods, String... more) {
    List<String> all =
        new ArrayList<>(List.of("QuotaReserved True QuotaReserved", "Admitted True Admitted"));
    all.addAll(List.of(more));
    return workload(
        QUEUED.replace("\"podSets\":[]", "\"podSets\":[{\"count\":2,\"template\":{\"spec\":{}}}]"),
        """
        {%s,"admission":{"clusterQueue":"cq","podSetAssignments":[{"name":"main","count":2,
        "topologyAssignment":{"levels":["h"],"slices":[{"domainCount":1,
        "valuesPerLevel":[{"universal":"a"}],"podCounts":{"universal":%d}}]}}]}}\
        """
            .formatted(conditions(all.toArray(String[]::new)), pods));
  }

  @Test
  void isToldOnceThatItsPlacesCannotBe() {
    Workload told = live(placed(Integer.MAX_VALUE));

    assertThat(told(told, "sluice.dev/ImpossiblePlacement"))
        .startsWith(
            "True ImpossiblePlacement:"
                + " status.admission.podSetAssignments[0].topologyAssignment.slices: 2147483647:"
                + " must have places for the 2 pods of the assignment");
    assertThat(told(told, "Admitted")).startsWith("True");
    assertThat(events).containsExactly("ImpossiblePlacement");
    assertThat(reconcile(told).isRest()).isTrue();
  }

  @Test
  void isNotToldThatItsPlacesCannotBeOnceTheyAreMended() {
    Workload mended =
        live(placed(2, "sluice.dev/ImpossiblePlacement True ImpossiblePlacement told"));

    assertThat(mended.status().condition("sluice.dev/ImpossiblePlacement")).isEmpty();
    assertThat(told(mended, "Admitted")).startsWith("True");
  }
}
