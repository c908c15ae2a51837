package dev.sluice.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Scheduling.FairSharing;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.testkit.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A cycle leaves out the trees in which it would have no effect, and no others. */
class QuietTreesTest {
  private static final int QUEUES = 10;
  private static final int STEPS = Tier.number("sluice.quiet.steps", 600, 3_000);

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
}
