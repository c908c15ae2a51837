package dev.sluice.lifecycle.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.workload.Workload;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Copies that the manager of another cluster made, evicted before their job is there. */
class EvictedCopiesTest extends LifeStory {
  private static final String COPY =
      QUEUED.replace(
          "\"name\":\"w\"",
          "\"name\":\"w\",\"labels\":{\"kueue.x-k8s.io/multikueue-origin\":\"m\"}");

  private static final String OWNER =
      "\"ownerReferences\":[{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"name\":\"j\","
          + "\"uid\":\"j\",\"controller\":true}],\"uid\"";

  private static String evicted(String reason) {
    return "{"
        + ADMITTED.replace("}],", "}," + condition("Evicted True " + reason + " why") + "],")
        + "}";
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "Preempted, True Preempted: why",
    "NodeFailures, True NodeFailures: why",
    "LocalQueueStopped, True LocalQueueRestarted: The LocalQueue was restarted after being stopped",
    "EvictedOnManagerCluster, False EvictedOnManagerCluster: why",
  })
  void giveTheirQuotaBackAtOnce(String reason, String requeued) {
    Workload back = live(workload(COPY, evicted(reason)));

    assertThat(told(back, "QuotaReserved")).isEqualTo("False PendingEvaluation: why");
    assertThat(told(back, "Admitted")).startsWith("False ");
    assertThat(back.status().admission()).isNull();
    assertThat(told(back, "Requeued")).isEqualTo(requeued);
  }

  @Test
  void areTriedAgainWhenACheckAsksForIt() {
    clusterQueue = read(ClusterQueue.class, CHECKED);

    Workload back =
        live(
            workload(
                COPY,
                "{"
                    + conditions("QuotaReserved True QuotaReserved")
                    + checks("Retry", "Pending")
                    + "}"));

    assertThat(told(back, "QuotaReserved")).startsWith("False PendingEvaluation: Evicted due to");
    assertThat(told(back, "Requeued")).startsWith("True BackoffFinished: ");
    assertThat(events).containsExactly("EvictedDueToAdmissionCheck");
  }

  @Test
  void waitForTheirBackoffWithoutQuotaIfNoJobCameInTime() {
    now = T.plus(Duration.ofMinutes(30));

    Workload back = live(workload(COPY, "{" + ADMITTED + "}"));

    assertThat(told(back, "QuotaReserved")).startsWith("False PendingEvaluation: ");
    assertThat(told(back, "Requeued")).startsWith("False PodsReadyTimeout: ");
    assertThat(reconcile(back).again()).contains(now.plusSeconds(60));
  }

  @Test
  void holdNoQuotaWhenTheyAreDeactivated() {
    Workload out =
        live(
            workload(
                COPY.replace("\"podSets\"", "\"active\":false,\"podSets\""), "{" + ADMITTED + "}"));

    assertThat(told(out, "QuotaReserved")).startsWith("False Deactivated: ");
    assertThat(out.status().admission()).isNull();
  }

  @Test
  void keepTheirQuotaUntilThePodsHaveEndedOnceAJobOwnsThem() {
    Workload owned = live(workload(COPY.replace("\"uid\"", OWNER), evicted("Preempted")));

    assertThat(told(owned, "QuotaReserved")).startsWith("True");
    assertThat(owned.status().condition("Requeued")).isEmpty();
  }

  @Test
  void areTheOnlyOnesWithoutOwnerThatDoSo() {
    Workload other = live(workload(QUEUED, evicted("Preempted")));

    assertThat(told(other, "QuotaReserved")).startsWith("True");
    assertThat(other.status().condition("Requeued")).isEmpty();
  }
}
