package dev.sluice.api.configuration;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.LabelSelector;
import java.util.List;

/**
 * Which jobs are managed.
 *
 * @param withoutQueueName whether also those that name no queue
 * @param namespaces in which namespaces
 * @param frameworks the kinds named in the file, in its order, each once
 * @param externalFrameworks kinds that others manage, which count as managed owners
 * @param labelKeysToCopy labels of a job that its Workload gets
 */
public record JobManagement(
    boolean withoutQueueName,
    LabelSelector namespaces,
    List<Framework> frameworks,
    List<GroupVersionKind> externalFrameworks,
    List<String> labelKeysToCopy) {
  public JobManagement {
    requireNonNull(namespaces, "namespaces");
    frameworks = List.copyOf(frameworks);
    externalFrameworks = List.copyOf(externalFrameworks);
    labelKeysToCopy = List.copyOf(labelKeysToCopy);
  }

  /**
   * Whether jobs of this kind are managed; pods also where a kind needs them that is made of them.
   */
  public boolean isEnabled(Framework framework) {
    return frameworks.contains(framework)
        || (framework == Framework.POD && frameworks.stream().anyMatch(Framework::needsPods));
  }

  /** Whether that kind is managed by another controller that is responsible for its queueing. */
  public boolean isExternal(String group, String kind) {
    return externalFrameworks.stream()
        .anyMatch(type -> type.group().equals(group) && type.kind().equals(kind));
  }
}
