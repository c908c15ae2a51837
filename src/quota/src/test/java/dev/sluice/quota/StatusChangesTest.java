package dev.sluice.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Scheduling.FairSharing;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.StatusChange;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The result of a cycle says everything that the cycle changed. */
class StatusChangesTest {
  private static final int STEPS = 400;

  private int evicted;
  private int reserved;

  @Test
  void theChangesOfACycleLeadFromTheStateBeforeItToTheStateAfterIt() {
    EngineConfiguration configuration = EngineConfiguration.defaults();
    for (int seed = 0; seed < 6; seed++) {
      changesAreComplete(seed, configuration);
      changesAreComplete(seed, configuration.withFairSharing(FairSharing.BOTH));
    }

    assertThat(reserved).isPositive();
    assertThat(evicted).isPositive();
  }

  private void changesAreComplete(int seed, EngineConfiguration configuration) {
    var world = new RandomWorld(seed, configuration, 10);
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
      assertThat(workloads)
          .as("seed %d, step %d", seed, step)
          .isEqualTo(workloads(world.snapshot()));
    }
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
