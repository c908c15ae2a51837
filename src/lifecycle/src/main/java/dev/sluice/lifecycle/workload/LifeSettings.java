package dev.sluice.lifecycle.workload;

import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Scheduling.WaitForPodsReady;
import dev.sluice.api.workload.StatusDetail;
import java.time.Duration;
import java.util.Optional;

/**
 * The operator's settings for the lifecycle of Workloads.
 *
 * @param podsReady what happens if pods do not become ready; empty for nothing
 * @param afterFinished how long they are kept; empty for ever
 * @param finishOrphans whether Workloads without owner are finished
 * @param gated whether an annotation may gate admission
 * @param splits whether Workloads may be split into variants
 * @param detail how detailed the pending reasons in conditions are
 */
public record LifeSettings(
    Optional<WaitForPodsReady> podsReady,
    Optional<Duration> afterFinished,
    boolean finishOrphans,
    boolean gated,
    boolean splits,
    StatusDetail detail) {
  /** The settings in a configuration. */
  public static LifeSettings of(Configuration configuration) {
    return new LifeSettings(
        configuration.scheduling().waitForPodsReady(),
        configuration.scheduling().retention().afterFinished(),
        configuration.featureGates().isOn(FeatureGate.FINISH_ORPHANED_WORKLOADS),
        configuration.featureGates().isOn(FeatureGate.ADMISSION_GATED_BY),
        configuration.featureGates().isOn(FeatureGate.CONCURRENT_ADMISSION),
        StatusDetail.of(configuration.featureGates()));
  }
}
