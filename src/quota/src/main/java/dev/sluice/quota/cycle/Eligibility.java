package dev.sluice.quota.cycle;

import dev.sluice.api.core.Namespace;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.decision.Decision.Refused;
import dev.sluice.quota.decision.Decision.Refused.Cause;
import dev.sluice.quota.device.DeviceCounter;
import dev.sluice.quota.inventory.PodEnvironment;
import dev.sluice.quota.request.ResourceProblems;
import dev.sluice.quota.world.QueueRules;
import dev.sluice.quota.world.Selectors;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells which workloads are misconfigured, so that they are not evaluated even at the head of an
 * active ClusterQueue. Immutable.
 */
public final class Eligibility {
  private final DeviceCounter devices;
  private final PodEnvironment environment;

  /** Of workloads whose pods refer to that environment. */
  public Eligibility(DeviceCounter devices, PodEnvironment environment) {
    this.devices = devices;
    this.environment = environment;
  }

  /** What is wrong with the devices, the namespace or the requests of a workload, or null. */
  public @Nullable Refused problem(Workload workload, QueueRules rules) {
    Workload adjusted = environment.adjusted(workload);
    List<String> uncountable = devices.problems(adjusted, environment.devices());
    if (!uncountable.isEmpty()) {
      return misconfigured(Cause.DEVICES, String.join("; ", uncountable));
    }
    String name = workload.metadata().namespace();
    Namespace namespace = environment.namespace(name);
    if (namespace == null) {
      return misconfigured(Cause.NAMESPACE_MISSING, "There is no namespace " + name);
    }
    if (!Selectors.matches(rules.namespaceSelector(), namespace.metadata().labels())) {
      return misconfigured(
          Cause.NAMESPACE_MISMATCH,
          "ClusterQueue %s does not select namespace %s".formatted(rules.name(), name));
    }
    return ResourceProblems.message(adjusted, environment.limits(name))
        .map(message -> misconfigured(Cause.RESOURCES, message))
        .orElse(null);
  }

  private static Refused misconfigured(Cause cause, String problem) {
    return new Refused(PendingReason.MISCONFIGURED, cause, problem);
  }
}
