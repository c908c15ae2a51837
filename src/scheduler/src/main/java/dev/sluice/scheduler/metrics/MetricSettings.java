package dev.sluice.scheduler.metrics;

import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.api.configuration.Manager;
import dev.sluice.api.configuration.Manager.CustomLabel;
import dev.sluice.api.meta.LabelSelector;
import java.util.List;

/**
 * What is measured.
 *
 * @param clusterQueueResources whether the quotas and the use of each ClusterQueue are, pair by
 *     pair
 * @param fairSharing whether shares are
 * @param localQueues whether LocalQueues are
 * @param localQueueSelector which of them
 * @param cohorts whether Cohorts are
 * @param shapes whether the number of different pending Workloads is measured
 * @param overlaps whether a second search for targets runs if two preemptors overlap
 * @param creationLatency whether the time from a job to its Workload is measured
 * @param customLabels what else of queues and Cohorts is in the labels
 */
public record MetricSettings(
    boolean clusterQueueResources,
    boolean fairSharing,
    boolean localQueues,
    LabelSelector localQueueSelector,
    boolean cohorts,
    boolean shapes,
    boolean overlaps,
    boolean creationLatency,
    List<CustomLabel> customLabels) {
  public MetricSettings {
    customLabels = List.copyOf(customLabels);
  }

  /** What an operator chose. */
  public static MetricSettings of(Configuration configuration) {
    Manager.Metrics chosen = configuration.manager().metrics();
    FeatureGates gates = configuration.featureGates();
    return new MetricSettings(
        chosen.clusterQueueResources(),
        configuration.scheduling().fairSharing().isPresent(),
        chosen.localQueues() && gates.isOn(FeatureGate.LOCAL_QUEUE_METRICS),
        chosen.localQueueSelector(),
        gates.isOn(FeatureGate.METRICS_FOR_COHORTS),
        gates.isOn(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING),
        gates.isOn(FeatureGate.RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP),
        gates.isOn(FeatureGate.METRIC_FOR_WORKLOAD_CREATION_LATENCY),
        gates.isOn(FeatureGate.CUSTOM_METRIC_LABELS) ? chosen.customLabels() : List.of());
  }
}
