package dev.sluice.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Scheduling.FairSharing;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.StatusChange;
import dev.sluice.api.meta.ObjectKey;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The result of a cycle says everything that the cycle changed. */
class StatusChangesTest {
  private static final int STEPS = 400;

  static Stream<Arguments> worlds() {
    return IntStream.range(0, 6).mapToObj(seed -> Arguments.of(seed, seed % 2 == 1));
  }

  @ParameterizedTest(name = "seed {0}, fair sharing {1}")
  @MethodSource("worlds")
  void theChangesOfACycleLeadFromTheStateBeforeItToTheStateAfterIt(long seed, boolean fair) {
    EngineConfiguration configuration = EngineConfiguration.defaults();
    var world =
        new RandomWorld(
            seed, fair ? configuration.withFairSharing(FairSharing.BOTH) : configuration, 10);
    int evicted = 0;
    int reserved = 0;

    for (int step = 0; step < STEPS; step++) {
      world.step();
      Map<ObjectKey, Workload> workloads = workloads(world.snapshot());
      CycleResult result = world.cycle();

      for (Outcome outcome : result.outcomes()) {
        replay(outcome.change(), workloads);
        outcome.others().forEach(change -> replay(change, workloads));
        reserved += outcome.decision() instanceof Decision.Reserved ? 1 : 0;
        evicted += outcome.others().size();
      }
      assertThat(workloads).as("step %d", step).isEqualTo(workloads(world.snapshot()));
    }

    assertThat(reserved).isPositive();
    assertThat(evicted).isPositive();
  }

  private static void replay(StatusChange change, Map<ObjectKey, Workload> workloads) {
    assertThat(workloads.put(change.workload(), change.after().workload()))
        .as("%s before", change.workload())
        .isEqualTo(change.before().workload());
  }

  private static Map<ObjectKey, Workload> workloads(Snapshot snapshot) {
    Map<ObjectKey, Workload> workloads = new TreeMap<>();
    snapshot.workloads().forEach(state -> workloads.put(state.key(), state.workload()));
    return workloads;
  }
}
