package dev.sluice.quota;

import static dev.sluice.quota.TestCluster.cpu;
import static dev.sluice.quota.TestCluster.victims;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Scheduling.FairSharing;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.testkit.Tier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A cycle leaves out the trees in which it would have no effect, and no others. */
class QuietTreesTest {
  private static final int QUEUES = 10;
  private static final int STEPS = Tier.number("sluice.quiet.steps", 600, 3_000);

  private final TestCluster cluster = TestCluster.classical().flavor("default");
  private int leftOut;

  static Stream<Arguments> worlds() {
    return IntStream.range(0, Tier.number(6, 24))
        .mapToObj(seed -> Arguments.of(seed, seed % 2 > 0));
  }

  @ParameterizedTest(name = "seed {0}, fair sharing {1}")
  @MethodSource("worlds")
  void withoutThemACycleHasTheSameEffect(long seed, boolean fair) {
    EngineConfiguration configuration = EngineConfiguration.defaults();
    if (fair) {
      configuration = configuration.withFairSharing(FairSharing.BOTH);
    }
    RandomWorld world = new RandomWorld(seed, configuration, QUEUES);
    QuotaEngine other = world.engine().fork();
    world.mirror(other, (engine, result) -> compare(result, engine.cycleOfNews(world.now())));

    for (int step = 0; step < STEPS; step++) {
      world.step();
      world.cycle();
      world.cycle(); // without news
      if (step % 50 == 0) {
        assertThat(RandomWorld.describe(other.snapshot(world.now())))
            .isEqualTo(RandomWorld.describe(world.snapshot()));
      }
    }
    assertThat(leftOut).isPositive();
  }

  /** All that the other cycle left out has no effect. */
  private void compare(CycleResult all, CycleResult some) {
    List<Outcome> missing = new ArrayList<>();
    int next = 0;
    for (Outcome outcome : all.outcomes()) {
      if (next < some.outcomes().size() && some.outcomes().get(next).equals(outcome)) {
        next++;
      } else {
        missing.add(outcome);
      }
    }
    assertThat(next)
        .as("%s of %s", some.outcomes(), all.outcomes())
        .isEqualTo(some.outcomes().size());
    assertThat(missing).allMatch(Outcome::hasNoEffect);
    assertThat(some.changed()).isEqualTo(all.changed());
    leftOut += missing.size();
  }

  /** The head of a queue has preempted a workload that goes on holding its quota. */
  private List<Outcome> waitForAVictim() {
    cluster
        .queue("q", cpu("1") + ",'preemption':{'withinClusterQueue':'LowerPriority'}")
        .running("low", "q", 0, "1")
        .waiting("high", "q", 9, "1");
    assertThat(victims(cluster.engine().cycleOfNews(cluster.now()), "high")).hasSize(1);
    assertThat(cluster.engine().cycleOfNews(cluster.now()).outcomes()).hasSize(1);
    return cluster.engine().cycleOfNews(cluster.now()).outcomes();
  }

  @Test
  void aTreeIsLookedAtWhenAWorkloadThatHeldItsQuotaIsGone() {
    assertThat(waitForAVictim()).isEmpty();

    cluster.delete("low");
    cluster.engine().cycleOfNews(cluster.now());

    assertThat(cluster.reserved("high")).isTrue();
  }

  @Test
  void allTreesAreLookedAtWhenQueuesChange() {
    assertThat(waitForAVictim()).isEmpty();

    cluster.queue("other", cpu("0")).waiting("third", "other", 0, "1");

    assertThat(cluster.engine().cycleOfNews(cluster.now()).outcomes()).hasSize(2);
  }

  @Test
  void aTreeIsLookedAtFromTimeToTime() {
    assertThat(waitForAVictim()).isEmpty();

    Instant later = cluster.now().plusSeconds(9);
    assertThat(cluster.engine().cycleOfNews(later).outcomes()).isEmpty();
    assertThat(cluster.engine().cycleOfNews(later.plusSeconds(1)).outcomes()).hasSize(1);
  }
}
