package dev.sluice.lifecycle.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much a Workload tells, by the two gates UnadmittedWorkloads... */
class TellingTest extends LifeStory {
  private void tell(StatusDetail telling) {
    settings =
        new LifeSettings(
            settings.podsReady(),
            settings.afterFinished(),
            settings.finishOrphans(),
            settings.gated(),
            settings.splits(),
            telling);
  }

  private String why(String status) {
    return told(live(workload(status)), "QuotaReserved");
  }

  @ParameterizedTest
  @CsvSource({
    "GRANULAR, Misconfigured",
    "EXPLICIT, Misconfigured",
    "COARSE, Inadmissible",
  })
  void aQueueThatIsMissingHasOneReasonOfEach(StatusDetail telling, String reason) {
    tell(telling);
    localQueue = null;

    assertThat(why("{}")).isEqualTo("False " + reason + ": LocalQueue lq doesn't exist");
  }

  @ParameterizedTest
  @CsvSource({
    "GRANULAR, Suspended",
    "COARSE, Inadmissible",
  })
  void soHasAQueueThatIsStopped(StatusDetail telling, String reason) {
    tell(telling);
    localQueue =
        read(
            LocalQueue.class,
            "{\"metadata\":{\"name\":\"lq\"},\"spec\":{\"clusterQueue\":\"cq\","
                + "\"stopPolicy\":\"Hold\"}}");

    assertThat(why("{}")).isEqualTo("False " + reason + ": LocalQueue lq is inactive");
  }

  @ParameterizedTest
  @CsvSource({
    "GRANULAR, Misconfigured, PendingEvaluation",
    "COARSE,   Inadmissible,  Pending",
  })
  void whatIsOverIsTakenBack(StatusDetail telling, String before, String after) {
    tell(telling);

    assertThat(
            why(
                "{"
                    + conditions("QuotaReserved False " + before + " LocalQueue lq doesn't exist")
                    + "}"))
        .startsWith("False " + after + ": ");
  }

  @ParameterizedTest
  @CsvSource({"COARSE, 0", "GRANULAR, 0", "EXPLICIT, 2"})
  void aNewOneIsToldOfOnlyWhereThatIsAskedFor(StatusDetail telling, int conditions) {
    tell(telling);

    Workload seen = live(workload("{}"));

    assertThat(seen.status().conditions()).hasSize(conditions);
    if (conditions > 0) {
      assertThat(told(seen, "QuotaReserved"))
          .isEqualTo(
              "False PendingEvaluation: Workload is pending evaluation in the scheduling queue");
      assertThat(told(seen, "Admitted"))
          .isEqualTo("False NoReservation: The workload has no reservation");
    }
  }

  @Test
  void inAFewWordsNotAdmittedIsSaidOnlyWhenItChanges() {
    tell(StatusDetail.COARSE);
    clusterQueue = read(ClusterQueue.class, CHECKED);
    String checks =
        """
        ,"admissionChecks":[{"name":"a","state":"Pending","message":"",
        "lastTransitionTime":"2026-11-21T11:00:00Z"},{"name":"b","state":"Ready","message":"",
        "lastTransitionTime":"2026-11-21T11:00:00Z"}]\
        """;

    Workload waits =
        live(workload("{" + conditions("QuotaReserved True QuotaReserved") + checks + "}"));
    assertThat(waits.status().conditions()).extracting("type").containsExactly("QuotaReserved");

    localQueue = null;
    Workload taken = live(workload("{" + conditions("QuotaReserved False Pending") + checks + "}"));
    assertThat(taken.status().conditions()).extracting("type").containsExactly("QuotaReserved");
  }
}
