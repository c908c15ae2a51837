package dev.sluice.lifecycle.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.workload.QuotaHold;
import dev.sluice.api.workload.Workload;
import org.junit.jupiter.api.Test;

/** Stored statuses that contradict themselves, written by any client. */
class RepairTest extends LifeStory {
  private static final String ADMISSION =
      "\"admission\":{\"clusterQueue\":\"cq\",\"podSetAssignments\":[]}";

  @Test
  void anAdmittedOneWithoutAnAdmissionIsEvictedSoThatItsJobStops() {
    Workload evicted =
        live(
            workload(
                "{"
                    + conditions("QuotaReserved True QuotaReserved", "Admitted True Admitted")
                    + "}"));

    assertThat(told(evicted, "Evicted"))
        .isEqualTo(
            "True AdmissionMissing: QuotaReserved is True, and there is no status.admission");
    assertThat(events).containsExactly("EvictedDueToAdmissionMissing");
  }

  @Test
  void onceItsPodsAreGoneItIsRequeued() {
    Workload back =
        live(
            workload(
                "{"
                    + conditions(
                        "QuotaReserved False Pending",
                        "Admitted False NoReservation",
                        "Evicted True AdmissionMissing",
                        "Requeued False AdmissionMissing")
                    + "}"));

    assertThat(told(back, "Requeued")).startsWith("True AdmissionMissing");
  }

  @Test
  void aReservedOneWithoutAnAdmissionWaitsAgainForItsJobDoesNotRun() {
    Workload waiting = live(workload("{" + conditions("QuotaReserved True QuotaReserved") + "}"));

    assertThat(told(waiting, "QuotaReserved"))
        .startsWith("False ")
        .endsWith(": QuotaReserved is True, and there is no status.admission");
    assertThat(QuotaHold.contradiction(waiting.status())).isEmpty();
    assertThat(events).containsExactly("StatusRepaired");
  }

  @Test
  void anAdmittedOneWithoutAReservationMayNotRun() {
    now = T.plusSeconds(60);

    Workload stopped =
        live(
            workload(
                "{"
                    + conditions("QuotaReserved False Cleared", "Admitted True Admitted")
                    + ","
                    + ADMISSION
                    + "}"));

    assertThat(told(stopped, "Admitted")).startsWith("False ");
    assertThat(stopped.status().admission()).isNull();
    assertThat(stopped.status().accumulatedPastExecutionTimeSeconds()).isEqualTo(60);
  }

  @Test
  void aLeftoverAdmissionIsRemovedAndNothingElse() {
    String waits = conditions("QuotaReserved False Pending waits", "Admitted False NoReservation");

    Workload cleared = live(workload("{" + waits + "," + ADMISSION + "}"));

    assertThat(cleared).isEqualTo(workload("{" + waits + "}"));
    assertThat(events).isEmpty();
  }

  @Test
  void whatIsWholeIsLeftAlone() {
    Workload admitted = workload("{" + ADMITTED + "}");

    assertThat(live(admitted)).isEqualTo(admitted);
  }
}
