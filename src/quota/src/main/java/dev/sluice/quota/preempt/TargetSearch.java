package dev.sluice.quota.preempt;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Scheduling.FairSharing;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.trial.TreeTrial;
import java.util.List;

/** Finds the workloads to evict. Leaves the trial as it was. */
public interface TargetSearch {
  /** The fewest it finds that make room, in the order they were chosen; empty where none do. */
  List<Victim> targets(TreeTrial trial, PreemptionRequest request);

  /** The search that the configuration asks for. */
  static TargetSearch of(EngineConfiguration configuration) {
    FairSharing fair = configuration.fairSharing();
    return fair == null
        ? new ClassicalSearch()
        : new FairSearch(
            fair.preemptionStrategies(),
            configuration.on(FeatureGate.FAIR_SHARING_PREEMPT_WITHIN_NOMINAL));
  }
}
