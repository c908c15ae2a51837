package dev.sluice.jobs.plan;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.CustomKind;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.api.configuration.JobManagement;
import dev.sluice.api.configuration.Manager.CustomLabel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of an operator that matter for jobs. Immutable.
 *
 * @param management which jobs are managed, and what of their labels their Workloads get
 * @param gates the features that are on
 * @param watchesReadiness whether it is noted when the Pods of a job are ready
 * @param afterDeactivated how long a deactivated job is kept; empty to keep it
 * @param customKinds kinds of jobs that a configuration describes
 * @param external kinds that other programs give Workloads and that go to other clusters
 * @param measured labels of metrics for which Workloads follow labels and annotations of their jobs
 */
public record JobSettings(
    JobManagement management,
    FeatureGates gates,
    boolean watchesReadiness,
    Optional<Duration> afterDeactivated,
    List<CustomKind> customKinds,
    List<GroupVersionKind> external,
    List<CustomLabel> measured) {
  public JobSettings {
    requireNonNull(management, "management");
    requireNonNull(gates, "gates");
    customKinds = List.copyOf(customKinds);
    external = List.copyOf(external);
    measured = List.copyOf(measured);
  }

  /** The same where no other kinds go to other clusters, and metrics take no labels. */
  public JobSettings(
      JobManagement management,
      FeatureGates gates,
      boolean watchesReadiness,
      Optional<Duration> afterDeactivated,
      List<CustomKind> customKinds) {
    this(management, gates, watchesReadiness, afterDeactivated, customKinds, List.of(), List.of());
  }

  /** Reads the settings from the configuration files. */
  public static JobSettings of(Configuration configuration, Extensions extensions) {
    return new JobSettings(
        configuration.jobs(),
        configuration.featureGates(),
        configuration.scheduling().waitForPodsReady().isPresent(),
        configuration.scheduling().retention().afterDeactivatedByKueue(),
        extensions.customKinds(),
        configuration.scheduling().multiKueue().externalFrameworks(),
        measured(configuration));
  }

  private static List<CustomLabel> measured(Configuration configuration) {
    return configuration.featureGates().isOn(FeatureGate.CUSTOM_METRIC_LABELS)
        ? configuration.manager().metrics().customLabels().stream()
            .filter(it -> it.sourceKind().equals(CustomLabel.WORKLOAD))
            .toList()
        : List.of();
  }

  /** Whether the feature is on. */
  public boolean isOn(FeatureGate gate) {
    return gates.isOn(gate);
  }
}
