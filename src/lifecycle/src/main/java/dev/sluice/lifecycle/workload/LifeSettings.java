package dev.sluice.lifecycle.workload;

import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Scheduling.WaitForPodsReady;
import dev.sluice.api.workload.StatusDetail;
import java.time.Duration;
import java.util.Optional;

/**
 * What an operator chose that matters for the life of Workloads.
 *
 * @param podsReady what happens to those whose pods do not come up; empty if nothing
 * @param afterFinished how long they are kept; empty for ever
 * @param finishOrphans whether those whose owner is gone are finished
 * @param gated whether an annotation may hold one back
 * @param detail how much their conditions tell of why they wait
 */
public record LifeSettings(
    Optional<WaitForPodsReady> podsReady,
    Optional<Duration> afterFinished,
    boolean finishOrphans,
    boolean gated,
    StatusDetail detail) {
  /** What a configuration says. */
  public static LifeSettings of(Configuration configuration) {
    return new LifeSettings(
        configuration.scheduling().waitForPodsReady(),
        configuration.scheduling().retention().afterFinished(),
        configuration.featureGates().isOn(FeatureGate.FINISH_ORPHANED_WORKLOADS),
        configuration.featureGates().isOn(FeatureGate.ADMISSION_GATED_BY),
        StatusDetail.of(configuration.featureGates()));
  }
}
