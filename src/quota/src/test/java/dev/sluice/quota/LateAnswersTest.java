package dev.sluice.quota;

import static dev.sluice.quota.TestCluster.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.workload.Workload;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers of writes that come when the Workload is gone, or is another one. */
class LateAnswersTest {
  private final TestCluster cluster = TestCluster.classical().flavor("default");
  private Workload original;
  private Workload answer;

  @BeforeEach
  void aReservationThatIsBeingStored() {
    cluster.queue("q", cpu("1"));
    original = of("u1", "7");
    cluster.apply(Change.upserted(ObjectKind.WORKLOAD, original));
    cluster.rest();
    answer = TestCluster.version(cluster.get("w"), "8");
    assertThat(cluster.reserved("w")).isTrue();
  }

  private Workload of(String uid, String version) {
    return cluster
        .workload("w", "q")
        .metadata("'uid':'%s','resourceVersion':'%s'".formatted(uid, version))
        .cpu("1")
        .build();
  }

  private void gone(String uid) {
    cluster.apply(new Change.Deleted(ObjectKind.WORKLOAD, TestCluster.key("w"), uid));
  }

  private void answered() {
    cluster.apply(new Change.WorkloadAnswered(answer));
    cluster.apply(new Change.StatusStored(TestCluster.key("w"), "u1"));
  }

  private long used() {
    return cluster.engine().snapshot(cluster.now()).standing("q").values().stream()
        .mapToLong(it -> it.used().value())
        .sum();
  }

  @Test
  void whatIsStoredCountsWhileItIsThere() {
    answered();

    assertThat(cluster.get("w").metadata().resourceVersion()).isEqualTo("8");
    assertThat(used()).isEqualTo(1_000);
  }

  @Test
  void whatIsStoredIsNeverNewerThanADeletionThatWasSeen() {
    gone("u1");
    answered();

    assertThat(cluster.engine().snapshot(cluster.now()).workloads()).isEmpty();
    assertThat(used()).isZero();
  }

  @Test
  void theAnswerOfAnEarlierOneDoesNotChangeTheNextOfItsName() {
    gone("u1");
    cluster.apply(Change.upserted(ObjectKind.WORKLOAD, of("u2", "10")));
    answered();

    assertThat(cluster.get("w").metadata().uid()).isEqualTo("u2");
    assertThat(cluster.pending("q")).containsExactly("w");
    assertThat(used()).isZero();
  }

  @Test
  void aLostWriteOfAnEarlierOneDoesNotTakeTheReservationOfTheNextOneBack() {
    gone("u1");
    cluster.apply(Change.upserted(ObjectKind.WORKLOAD, of("u2", "10")));
    cluster.rest();
    assertThat(cluster.reserved("w")).isTrue();

    cluster.apply(new Change.StatusWriteFailed(TestCluster.key("w"), "u1"));

    assertThat(cluster.reserved("w")).isTrue();
    assertThat(used()).isEqualTo(1_000);
  }

  @Test
  void theEndOfAnEarlierOneIsNotTheEndOfTheNextOneThatWasReadAhead() {
    cluster.apply(Change.upserted(ObjectKind.WORKLOAD, of("u2", "10")));

    gone("u1");

    assertThat(cluster.get("w").metadata().uid()).isEqualTo("u2");
  }

  @Test
  void anOlderOneOfItsNameThatIsToldLateTakesNothingBack() {
    cluster.apply(Change.upserted(ObjectKind.WORKLOAD, of("u2", "10")));

    cluster.apply(Change.upserted(ObjectKind.WORKLOAD, of("u1", "9")));

    assertThat(cluster.get("w").metadata().uid()).isEqualTo("u2");
  }
}
