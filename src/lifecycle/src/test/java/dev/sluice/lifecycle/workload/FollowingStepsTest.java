package dev.sluice.lifecycle.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is stored in the same write as a reservation. */
class FollowingStepsTest extends LifeStory {
  private static final String RESERVED =
      conditions("QuotaReserved True QuotaReserved")
          + ",\"admission\":{\"clusterQueue\":\"cq\",\"podSetAssignments\":[]}";

  private static String answers(String a, String b) {
    return """
    ,"admissionChecks":[{"name":"a","state":"%s","message":"",
    "lastTransitionTime":"2026-11-21T12:00:00Z"},{"name":"b","state":"%s","message":"",
    "lastTransitionTime":"2026-11-21T12:00:00Z"}]\
    """
        .formatted(a, b);
  }

  @Test
  void aReservationListsItsChecksAndSaysThatItWaitsForThem() {
    clusterQueue = read(ClusterQueue.class, CHECKED);

    Workload stored = following(workload("{" + RESERVED + "}"));

    assertThat(stored.status().admissionChecks())
        .extracting(AdmissionCheckState::name)
        .containsExactly("a", "b");
    assertThat(told(stored, "Admitted")).startsWith("False UnsatisfiedAdmissionChecks");
  }

  @Test
  void aReservationWhoseChecksAreReadyAdmits() {
    clusterQueue = read(ClusterQueue.class, CHECKED);

    ReconcileStep step = follow(workload("{" + RESERVED + answers("Ready", "Ready") + "}"));

    assertThat(step.status()).hasValueSatisfying(it -> assertThat(it.isTrue("Admitted")).isTrue());
    assertThat(step.events()).extracting(Write.Event::reason).containsExactly("Admitted");
  }

  @Test
  void nothingIsSaidThatTheConfigurationLeavesOut() {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    settings = told(StatusDetail.COARSE);

    Workload stored = following(workload("{" + RESERVED + "}"));

    assertThat(stored.status().admissionChecks()).hasSize(2);
    assertThat(stored.status().condition("Admitted")).isEmpty();
  }

  @Test
  void aReservationIsStoredAsItIsWhereTheNextStepTakesItBack() {
    clusterQueue =
        read(
            ClusterQueue.class,
            "{\"metadata\":{\"name\":\"cq\",\"uid\":\"c\"},\"spec\":{\"stopPolicy\":\"Hold\"}}");
    assertThat(follow(workload("{" + RESERVED + "}"))).isEqualTo(ReconcileStep.REST);

    clusterQueue = read(ClusterQueue.class, CHECKED);
    for (String answers :
        new String[] {answers("Retry", "Ready"), answers("Pending", "Rejected")}) {
      assertThat(follow(workload("{" + RESERVED + answers + "}"))).isEqualTo(ReconcileStep.REST);
    }
  }

  /** Law: one write stores what several would have stored. */
  @ParameterizedTest
  @ValueSource(strings = {"", "Pending Pending", "Ready Pending", "Ready Ready"})
  void theStatusIsThatOfStepsWhichAreStoredOneByOne(String answers) {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    String listed =
        answers.isEmpty() ? "" : answers(answers.split(" ", 2)[0], answers.split(" ", 2)[1]);
    Workload reserved = workload("{" + RESERVED + listed + "}");

    assertThat(following(reserved)).isEqualTo(live(reserved));
  }

  private ReconcileStep follow(Workload reserved) {
    return new WorkloadReconciler(settings).following(reserved, dependencies(), leadsSince, now);
  }

  private Workload following(Workload reserved) {
    return follow(reserved).status().map(reserved::with).orElse(reserved);
  }

  private LifeSettings told(StatusDetail detail) {
    return new LifeSettings(Optional.empty(), Optional.empty(), true, true, true, detail);
  }
}
