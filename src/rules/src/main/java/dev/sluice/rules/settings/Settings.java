package dev.sluice.rules.settings;

import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.Extensions.DropManagedFields;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import java.util.Set;

/**
 * The operator's settings. Immutable.
 *
 * @param manageJobsWithoutQueueName whether jobs that name no queue are managed too
 * @param managedNamespaces where jobs are managed
 * @param frameworks the integrations that are on, such as {@code batch/job}
 * @param externalFrameworks kinds of other programs that count as managed owners
 * @param gates the features that are on
 * @param podGuard the reaction to surplus Pods of managed Jobs in managed namespaces
 * @param dropManagedFields of which Workloads managedFields are dropped when they are created
 */
public record Settings(
    boolean manageJobsWithoutQueueName,
    NamespaceSelector managedNamespaces,
    Set<String> frameworks,
    Set<GroupKind> externalFrameworks,
    FeatureGates gates,
    GuardMode podGuard,
    DropManagedFields dropManagedFields) {
  /** The framework that is on where none is named. */
  public static final String DEFAULT_FRAMEWORK = "batch/job";

  /** What holds without a configuration. */
  public static final Settings DEFAULT =
      new Settings(
          false,
          NamespaceSelector.allBut(Set.of("kube-system", "kueue-system")),
          Set.of(DEFAULT_FRAMEWORK),
          Set.of(),
          FeatureGates.DEFAULT,
          GuardMode.DENY);

  /** Those that drop managedFields of the scheduler's Workloads. */
  public Settings(
      boolean manageJobsWithoutQueueName,
      NamespaceSelector managedNamespaces,
      Set<String> frameworks,
      Set<GroupKind> externalFrameworks,
      FeatureGates gates,
      GuardMode podGuard) {
    this(
        manageJobsWithoutQueueName,
        managedNamespaces,
        frameworks,
        externalFrameworks,
        gates,
        podGuard,
        DropManagedFields.SCHEDULER);
  }

  public Settings {
    frameworks = Set.copyOf(frameworks);
    externalFrameworks = Set.copyOf(externalFrameworks);
  }

  /** Whether the feature is on. */
  public boolean isOn(FeatureGate gate) {
    return gates.isOn(gate);
  }
}
