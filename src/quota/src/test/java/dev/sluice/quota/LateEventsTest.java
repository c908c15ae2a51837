package dev.sluice.quota;

import static dev.sluice.quota.TestCluster.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.workload.Workload;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is told late, twice, or before the cluster has stored what was decided. */
class LateEventsTest {
  private final TestCluster cluster = TestCluster.classical().flavor("default");
  private Workload original;

  @BeforeEach
  void oneReservationThatIsNotStoredYet() {
    cluster.queue("q", cpu("1"));
    original = TestCluster.version(cluster.workload("w", "q").cpu("1").build(), "7");
    tell(original);
    cluster.rest();
    assertThat(cluster.reserved("w")).isTrue();
  }

  private void tell(Workload workload) {
    cluster.apply(Change.upserted(ObjectKind.WORKLOAD, workload));
  }

  @Test
  void anOldEventThatComesAgainTakesNothingBack() {
    tell(original);

    assertThat(cluster.reserved("w")).isTrue();
  }

  @Test
  void aNewerEventThatCannotKnowTheDecisionTakesNothingBack() {
    tell(TestCluster.version(original, "8"));

    assertThat(cluster.reserved("w")).isTrue();
    assertThat(cluster.get("w").metadata().resourceVersion()).isEqualTo("8");
  }

  @Test
  void onceStoredTheWordOfTheClusterCounts() {
    cluster.apply(new Change.StatusStored(TestCluster.key("w")));

    tell(TestCluster.version(original, "9"));

    assertThat(cluster.pending("q")).containsExactly("w");
  }

  @Test
  void whatCouldNotBeStoredIsForgottenAndTriedAgain() {
    cluster.apply(new Change.StatusWriteFailed(TestCluster.key("w")));
    assertThat(cluster.pending("q")).containsExactly("w");
    assertThat(cluster.engine().snapshot(cluster.now()).standing("q").values())
        .allSatisfy(s -> assertThat(s.used().value()).isZero());

    cluster.rest();

    assertThat(cluster.reserved("w")).isTrue();
  }

  /** A slice of ten cpu runs, and the one of twelve that takes its place was just decided on. */
  private static TestCluster grown() {
    var grown = TestCluster.classical().flavor("default").queue("q", TestCluster.cpu("12"));
    grown.running("old", "q", 0, "10");
    grown.apply(Change.upserted(ObjectKind.WORKLOAD, TestCluster.version(grown.get("old"), "1")));
    grown
        .workload("new", "q")
        .metadata(
            "'resourceVersion':'2',"
                + "'annotations':{'kueue.x-k8s.io/workload-slice-replacement-for':'default/old'}")
        .cpu("12")
        .put();
    grown.rest();
    assertThat(grown.conditions("old")).containsEntry("Finished", "True WorkloadSliceReplaced");
    return grown;
  }

  @Test
  void aSliceGoesOnWhoseSuccessorCouldNotBeStored() {
    TestCluster grown = grown();

    grown.apply(new Change.StatusWriteFailed(TestCluster.key("new")));
    grown.apply(new Change.StatusWriteFailed(TestCluster.key("old")));

    assertThat(grown.conditions("old")).doesNotContainKey("Finished");
    assertThat(grown.engine().snapshot(grown.now()).standing("q").values())
        .allSatisfy(s -> assertThat(s.used().value()).isEqualTo(10_000));
  }

  @Test
  void anEventThatCannotKnowOfTheSuccessorDoesNotReviveASlice() {
    TestCluster grown = grown();
    Workload ended = grown.get("old");

    grown.apply(
        Change.upserted(
            ObjectKind.WORKLOAD,
            TestCluster.version(
                ended.with(
                    TestCluster.classical()
                        .flavor("default")
                        .queue("q", TestCluster.cpu("12"))
                        .running("old", "q", 0, "10")
                        .get("old")
                        .status()),
                "9")));

    assertThat(grown.conditions("old")).containsEntry("Finished", "True WorkloadSliceReplaced");
  }
}
