package dev.sluice.webhook.settings;

import dev.sluice.api.GroupKind;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What an operator chose. Immutable.
 *
 * @param manageJobsWithoutQueueName whether jobs that name no queue are managed too
 * @param managedNamespaces where jobs are managed
 * @param frameworks the integrations that are on, such as {@code batch/job}
 * @param externalFrameworks kinds of other programs that count as managed owners
 * @param gates the features that are on
 * @param podGuard what becomes of surplus Pods of managed Jobs in managed namespaces
 */
public record Settings(
    boolean manageJobsWithoutQueueName,
    NamespaceSelector managedNamespaces,
    Set<String> frameworks,
    Set<GroupKind> externalFrameworks,
    Set<Gate> gates,
    GuardMode podGuard) {
  /** The framework that is on where none is named. */
  public static final String DEFAULT_FRAMEWORK = "batch/job";

  /** What holds without a configuration. */
  public static final Settings DEFAULT =
      new Settings(
          false,
          NamespaceSelector.allBut(Set.of("kube-system", "kueue-system")),
          Set.of(DEFAULT_FRAMEWORK),
          Set.of(),
          defaultGates(),
          GuardMode.DENY);

  public Settings {
    frameworks = Set.copyOf(frameworks);
    externalFrameworks = Set.copyOf(externalFrameworks);
    gates = gates.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(gates));
  }

  private static Set<Gate> defaultGates() {
    EnumSet<Gate> gates = EnumSet.noneOf(Gate.class);
    for (Gate gate : Gate.values()) {
      if (gate.isOnByDefault()) {
        gates.add(gate);
      }
    }
    return gates;
  }

  /** Whether the feature is on. */
  public boolean isOn(Gate gate) {
    return gates.contains(gate);
  }
}
