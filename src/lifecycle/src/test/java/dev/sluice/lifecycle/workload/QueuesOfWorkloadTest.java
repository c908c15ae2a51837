package dev.sluice.lifecycle.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.inventory.Inactivity;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What queues that are missing, stopped or going do to a Workload that waits, has quota or runs.
 */
class QueuesOfWorkloadTest extends LifeStory {
  @Test
  void oneThatWaitsInAGoodQueueIsLeftToTheEngine() {
    Workload fresh = workload("{}");

    assertThat(live(fresh)).isEqualTo(fresh);
  }

  @Test
  void hearsOfOneThatItIsLikeAsLongAsItWasNotLookedAtItself() {
    Workload fresh = workload("{}");
    assertThat(tell(fresh).isRest()).isTrue();

    String judged = "{" + conditions("QuotaReserved False WaitingForQuota 1 more needed") + "}";
    verdictOfItsLike = workload(judged).status().condition("QuotaReserved").orElseThrow();
    Workload told =
        new Workload(fresh.metadata(), fresh.spec(), tell(fresh).status().orElseThrow());
    assertThat(told(told, "QuotaReserved")).isEqualTo("False WaitingForQuota: 1 more needed");
    assertThat(told(told, "Admitted"))
        .isEqualTo("False NoReservation: The workload has no reservation");
    assertThat(tell(told).isRest()).isTrue();
  }

  @Test
  void saysThatItsLocalQueueIsMissingUntilItComes() {
    localQueue = null;
    Workload waiting = live(workload("{}"));
    assertThat(told(waiting, "QuotaReserved"))
        .isEqualTo("False Misconfigured: LocalQueue lq doesn't exist");
    assertThat(told(waiting, "Admitted"))
        .isEqualTo("False NoReservation: The workload has no reservation");

    localQueue =
        read(
            LocalQueue.class,
            "{\"metadata\":{\"name\":\"lq\"},\"spec\":{\"clusterQueue\":\"cq\"}}");
    assertThat(told(live(waiting), "QuotaReserved"))
        .isEqualTo(
            "False PendingEvaluation: Workload is pending evaluation in the scheduling queue");
  }

  @Test
  void saysWhatItsQueuesLack() {
    clusterQueue = null;
    assertThat(told(live(workload("{}")), "QuotaReserved"))
        .isEqualTo("False Misconfigured: ClusterQueue cq doesn't exist");

    clusterQueue = read(ClusterQueue.class, "{\"metadata\":{\"name\":\"cq\"},\"spec\":{}}");
    inactivity = List.of(new Inactivity(Inactivity.Reason.STOPPED, "", "stopPolicy is Hold"));
    assertThat(told(live(workload("{}")), "QuotaReserved"))
        .isEqualTo("False Suspended: ClusterQueue cq is inactive");

    ClusterQueue there = clusterQueue;
    clusterQueue =
        read(
            ClusterQueue.class,
            "{\"metadata\":{\"name\":\"cq\",\"deletionTimestamp\":\"" + T + "\"},\"spec\":{}}");
    assertThat(told(live(workload("{}")), "QuotaReserved"))
        .isEqualTo("False Suspended: ClusterQueue cq is inactive: it is being deleted");
    clusterQueue = there;

    inactivity =
        List.of(
            new Inactivity(
                Inactivity.Reason.FLAVOR_NOT_FOUND, "f", "there is no ResourceFlavor f"));
    assertThat(told(live(workload("{}")), "QuotaReserved"))
        .isEqualTo("False Suspended: ClusterQueue cq is inactive: there is no ResourceFlavor f");
    Workload misconfigured =
        workload("{" + conditions("QuotaReserved False Misconfigured ClusterQueue cq...") + "}");
    assertThat(told(live(misconfigured), "QuotaReserved"))
        .isEqualTo(
            "False Misconfigured: ClusterQueue cq is inactive: there is no ResourceFlavor f");
  }

  @ParameterizedTest
  @CsvSource({
    "WaitingForQuota so it is",
    "NoMatchingFlavor so it is",
    "ExceedsMaxQuota so it is",
    "PendingEvaluation so it is",
  })
  void leavesAloneWhatTheSchedulerSays(String reason) {
    Workload waiting = workload("{" + conditions("QuotaReserved False " + reason) + "}");

    assertThat(live(waiting)).isEqualTo(waiting);
  }

  @ParameterizedTest
  @CsvSource({
    "Misconfigured, ClusterQueue cq does not select namespace ns",
    "Misconfigured, 'PodSet main: request 2 above limit 1 for cpu'",
    "Misconfigured, LocalQueue lq doesn't exist",
    "Suspended,     ClusterQueue cq has no quota",
  })
  void aReasonWithTwoWritersEndsOnceTheEngineDoesNotRefuseTheWorkload(
      String reason, String message) {
    Workload waiting =
        workload("{" + conditions("QuotaReserved False " + reason + " " + message) + "}");

    refused = true;
    assertThat(live(waiting)).isEqualTo(waiting);

    refused = false;
    assertThat(told(live(waiting), "QuotaReserved"))
        .isEqualTo(
            "False PendingEvaluation: Workload is pending evaluation in the scheduling queue");
  }

  @ParameterizedTest(name = "{0} s after its reservation")
  @CsvSource({"9, true", "10, false"})
  void givesAReservationBackWhoseClusterQueueIsGoneOnceNoWatchCanBeThatLate(
      int seconds, boolean keeps) {
    clusterQueue = null;
    now = T.plusSeconds(seconds);
    Workload reserved =
        workload(
            "{"
                + conditions("QuotaReserved True QuotaReserved")
                + ",\"admission\":{\"clusterQueue\":\"cq\",\"podSetAssignments\":[]}}");

    assertThat(reconcile(reserved).again())
        .isEqualTo(keeps ? Optional.of(T.plusSeconds(10)) : Optional.empty());
    Workload after = live(reserved);
    assertThat(after.status().isTrue("QuotaReserved")).isEqualTo(keeps);
    assertThat(after.status().admission() != null).isEqualTo(keeps);
    if (!keeps) {
      assertThat(told(after, "QuotaReserved"))
          .isEqualTo("False Misconfigured: ClusterQueue cq doesn't exist");
    }
  }

  @Test
  void runsOnWhenItsClusterQueueIsGone() {
    clusterQueue = null;
    now = T.plusSeconds(100);
    Workload runs = workload("{" + ADMITTED + "}");

    assertThat(live(runs).status()).isEqualTo(runs.status());
  }

  @ParameterizedTest
  @CsvSource({"None, 0", "Hold, 0", "HoldAndDrain, 1"})
  void isDrainedWithItsQueueAndOnlyOnce(String policy, int evictions) {
    clusterQueue =
        read(
            ClusterQueue.class,
            "{\"metadata\":{\"name\":\"cq\"},\"spec\":{\"stopPolicy\":\"%s\"}}".formatted(policy));
    Workload drained = live(workload("{" + ADMITTED + "}"));

    assertThat(drained.status().isTrue("Evicted")).isEqualTo(evictions == 1);
    assertThat(events).hasSize(evictions).allMatch("EvictedDueToClusterQueueStopped"::equals);
  }

  @ParameterizedTest
  @CsvSource({
    "LocalQueue,   '{\"stopPolicy\":\"Hold\"}',         false, Suspended,     LocalQueue lq is"
        + " inactive",
    "LocalQueue,   '{\"stopPolicy\":\"HoldAndDrain\"}', false, Suspended,     LocalQueue lq is"
        + " inactive",
    "LocalQueue,   '{}', true,  Misconfigured, LocalQueue lq is terminating or missing",
    "ClusterQueue, '{\"stopPolicy\":\"Hold\"}',         false, Suspended,     ClusterQueue cq is"
        + " inactive",
    "ClusterQueue, '{\"stopPolicy\":\"HoldAndDrain\"}', false, Suspended,     ClusterQueue cq is"
        + " inactive",
    "ClusterQueue, '{}', true,  Suspended,     ClusterQueue cq is inactive: it is being deleted",
  })
  void givesItsQuotaBackIfItDoesNotRunYetAndAQueueOfItStopsOrGoes(
      String kind, String spec, boolean leaves, String reason, String message) {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    String object =
        "{\"metadata\":{\"name\":\"%s\",\"uid\":\"q\"%s},\"spec\":%s}"
            .formatted(
                kind.equals("LocalQueue") ? "lq" : "cq",
                leaves ? ",\"deletionTimestamp\":\"" + T + "\"" : "",
                spec);
    if (kind.equals("LocalQueue")) {
      localQueue = read(LocalQueue.class, object);
    } else {
      clusterQueue = read(ClusterQueue.class, object);
      inactivity = List.of(new Inactivity(Inactivity.Reason.STOPPED, "", "stopPolicy is Hold"));
    }

    Workload without =
        live(
            workload(
                "{"
                    + conditions("QuotaReserved True QuotaReserved")
                    + checks("Ready", "Pending")
                    + "}"));

    assertThat(without.status().admission()).isNull();
    assertThat(told(without, "QuotaReserved")).isEqualTo("False " + reason + ": " + message);
    assertThat(told(without, "Admitted"))
        .isEqualTo("False NoReservation: The workload has no reservation");
    assertThat(without.status().condition("Evicted")).isEmpty();
    assertThat(events).isEmpty();
  }

  @Test
  void keepsItsQuotaIfItRunsWhileItsLocalQueueGoes() {
    localQueue = null;
    Workload running = workload("{" + ADMITTED + "}");

    assertThat(live(running)).isEqualTo(running);
  }

  @Test
  void keepsItsQuotaIfItsClusterQueueIsNotSeenYet() {
    clusterQueue = null;
    Workload reserved =
        workload(
            "{"
                + conditions("QuotaReserved True QuotaReserved")
                + checks("Ready", "Pending")
                + "}");

    assertThat(live(reserved)).isEqualTo(reserved);
  }
}
