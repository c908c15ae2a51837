package dev.sluice.multicluster.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Tier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The laws of the protocol in a random world: no two workers run one Workload unless a link is
 * down, nothing foreign changes, clusterName changes only through null, quota is not given back
 * while a reachable copy runs, and when all is quiet it ends and nothing of ours is left.
 */
@Order(1) // it takes long, so it begins first
class ProtocolLawsTest {
  private static final int STEPS = 250;
  private static final int RUNS = Tier.number("sluice.test.protocolRuns", 100, 2_000);
  private static final long FIRST = Long.getLong("sluice.test.protocolSeed", 1_000);

  static LongStream seeds() {
    return Tier.seeds(40, 100);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void holdWhateverHappens(long seed) {
    run(seed);
  }

  @FullTier
  @Test
  void holdInThousandsOfRuns() {
    for (long seed = FIRST; seed < FIRST + RUNS; seed++) {
      run(seed);
    }
  }

  private static void run(long seed) {
    World world = new World(seed);
    assertThat(broken(world, seed)).isEmpty();
  }

  private static String broken(World world, long seed) {
    try {
      world.live(STEPS);
      world.settle();
      return "";
    } catch (BrokenLaw | RuntimeException e) {
      return "seed %d: %s%n%s".formatted(seed, e, world.history());
    }
  }
}
