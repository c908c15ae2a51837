package dev.sluice.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.quota.Snapshot;
import dev.sluice.quota.audit.Audit;
import dev.sluice.testkit.Tier;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Workloads come, are decided on, written to by us and by others, go, and come again under the same
 * name, while events of the watch and answers of writes arrive late and in any order between them.
 */
class DeletionLawTest {
  private static final int STEPS = 300;

  static LongStream seeds() {
    return Tier.seeds(50, 150);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void onceAllWorkloadsAreGoneNothingIsReserved(long seed) {
    Random random = new Random(seed);
    DelayedCluster cluster = new DelayedCluster(random);
    for (int i = 0; i < STEPS; i++) {
      cluster.happen();
    }

    cluster.deleteAll();
    cluster.settle();

    Snapshot end = cluster.snapshot();
    assertThat(end.workloads()).as("seed %d", seed).isEmpty();
    assertThat(end.holders("cq")).as("seed %d", seed).isEmpty();
    assertThat(end.standing("cq").values())
        .as("seed %d", seed)
        .isNotEmpty()
        .allSatisfy(it -> assertThat(it.used().value()).isZero());
    assertThat(Audit.findings(end)).as("seed %d", seed).isEmpty();
  }

  @Test
  void theseStoriesHaveWhatTheyAreAbout() {
    int late = 0;
    for (long seed : seeds().toArray()) {
      DelayedCluster cluster = new DelayedCluster(new Random(seed));
      for (int i = 0; i < STEPS; i++) {
        cluster.happen();
      }
      late += cluster.answersAfterTheEnd();
    }
    assertThat(late).as("answers of writes that come after the deletion was told").isPositive();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void onceAllIsToldTheEngineKnowsWhatIsStoredAndNothingElse(long seed) {
    DelayedCluster cluster = new DelayedCluster(new Random(seed));
    for (int i = 0; i < STEPS; i++) {
      cluster.happen();
    }

    cluster.settle();

    assertThat(cluster.knownUids()).as("seed %d", seed).isEqualTo(cluster.storedUids());
  }
}
