package dev.sluice.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Scheduling.FairSharing;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.audit.Audit;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.topology.TopologyCluster;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.testkit.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a fork of an engine shares with its original: the past, and nothing after it. */
class ForkTest {
  private static final int QUEUES = 10;
  private static final int STEPS = Tier.number(200, 500);

  static Stream<Arguments> worlds() {
    return IntStream.range(0, Tier.number(6, 12))
        .mapToObj(seed -> Arguments.of(seed, seed % 2 > 0));
  }

  private static RandomWorld world(long seed, boolean fair) {
    EngineConfiguration configuration = EngineConfiguration.defaults();
    return new RandomWorld(
        seed, fair ? configuration.withFairSharing(FairSharing.BOTH) : configuration, QUEUES);
  }

  private static void steps(RandomWorld world, int count) {
    IntStream.range(0, count).forEach(_ -> world.step());
  }

  @ParameterizedTest(name = "seed {0}, fair sharing {1}")
  @MethodSource("worlds")
  void originalAndForkThatReceiveTheSameDecideTheSame(long seed, boolean fair) {
    RandomWorld world = world(seed, fair);
    for (int round = 0; round < STEPS / 50; round++) {
      steps(world, 25);
      QuotaEngine fork = world.engine().fork();

      world.mirror(fork); // compares each cycle
      steps(world, 25);

      Snapshot ofFork = fork.snapshot(world.now());
      assertThat(RandomWorld.describe(ofFork)).isEqualTo(RandomWorld.describe(world.snapshot()));
      assertThat(Audit.findings(ofFork)).isEmpty();
      ofFork.clusterQueues().forEach(queue -> assertThat(fork.auditWakeUps(queue)).isEmpty());
    }
  }

  @ParameterizedTest(name = "seed {0}, fair sharing {1}")
  @MethodSource("worlds")
  void whatTheOriginalReceivesNeverShowsInTheFork(long seed, boolean fair) {
    RandomWorld original = world(seed, fair);
    RandomWorld replayed = world(seed, fair);
    steps(original, STEPS);
    steps(replayed, STEPS);
    QuotaEngine fork = original.engine().fork();
    String then = RandomWorld.describe(original.snapshot());

    disturb(original.engine(), seed, fair);

    assertThat(RandomWorld.describe(fork.snapshot(replayed.now()))).isEqualTo(then);
    replayed.mirror(fork);
    steps(replayed, STEPS);
  }

  @ParameterizedTest(name = "seed {0}, fair sharing {1}")
  @MethodSource("worlds")
  void whatForksReceiveOnOtherThreadsNeverShowsInTheOriginal(long seed, boolean fair) {
    RandomWorld original = world(seed, fair);
    RandomWorld replayed = world(seed, fair);
    List<CompletableFuture<Void>> disturbances = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      assertThat(original.step()).as("step %d", step).isEqualTo(replayed.step());
      if (step % 50 == 0) {
        QuotaEngine fork = original.engine().fork();
        disturbances.add(CompletableFuture.runAsync(() -> disturb(fork, seed, fair)));
      }
    }
    disturbances.forEach(CompletableFuture::join);
    assertThat(RandomWorld.describe(original.snapshot()))
        .isEqualTo(RandomWorld.describe(replayed.snapshot()));
  }

  /** The engine receives another world, decides in it, and loses it again. */
  private static void disturb(QuotaEngine engine, long seed, boolean fair) {
    RandomWorld other = world(seed + 1_000, fair);
    steps(other, 100);
    other.everything().forEach(change -> engine.apply(change, other.now()));
    IntStream.range(0, 20).forEach(_ -> engine.cycle(other.now()));
    List<ObjectKey> workloads = new ArrayList<>();
    for (WorkloadState workload : engine.snapshot(other.now()).workloads()) {
      workloads.add(workload.key());
    }
    workloads.forEach(
        key -> engine.apply(new Change.Deleted(ObjectKind.WORKLOAD, key), other.now()));
    engine
        .snapshot(other.now())
        .clusterQueues()
        .forEach(
            queue -> engine.apply(Change.Deleted.of(ObjectKind.CLUSTER_QUEUE, queue), other.now()));
    engine.cycle(other.now());
  }

  @Test
  void aForkOfAForkGoesOnByItself() {
    RandomWorld world = world(1, false);
    steps(world, STEPS);
    String then = RandomWorld.describe(world.snapshot());

    QuotaEngine second = world.engine().fork().fork();
    disturb(world.engine(), 1, false);

    assertThat(RandomWorld.describe(second.snapshot(world.now()))).isEqualTo(then);
  }

  @Test
  void aNodeThatOnlyTheForkLosesStillTakesPodsOfTheOriginal() {
    TopologyCluster cluster = TopologyCluster.mixed().node("r1", "h1", 4);
    QuotaEngine original = cluster.cluster().engine();
    QuotaEngine fork = original.fork();
    fork.apply(Change.Deleted.of(ObjectKind.NODE, "h1"), cluster.cluster().now());
    cluster.workload("w", "main", 1, "'required':'rack'", "");
    fork.apply(
        Change.upserted(ObjectKind.WORKLOAD, cluster.cluster().get("w")), cluster.cluster().now());

    fork.cycle(cluster.cluster().now());
    original.cycle(cluster.cluster().now());

    assertThat(holdsQuota(original, cluster)).isTrue();
    assertThat(holdsQuota(fork, cluster)).isFalse();
  }

  private static boolean holdsQuota(QuotaEngine engine, TopologyCluster cluster) {
    return engine.snapshot(cluster.cluster().now()).holds(TestCluster.key("w"), "main");
  }
}
