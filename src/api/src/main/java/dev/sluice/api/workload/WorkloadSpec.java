package dev.sluice.api.workload;

import dev.sluice.api.meta.Default;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a workload asks for. */
public record WorkloadSpec(
    List<PodSet> podSets,
    @Nullable String queueName,
    @Nullable PriorityClassRef priorityClassRef,
    @Nullable Integer priority,
    @Default("true") boolean active,
    @Nullable Integer maximumExecutionTimeSeconds,
    List<PreemptionGate> preemptionGates) {
  public WorkloadSpec {
    queueName = queueName == null ? null : queueName.intern(); // one of few for very many
    podSets = List.copyOf(podSets);
    preemptionGates = List.copyOf(preemptionGates);
  }

  /** The same with other pods. */
  public WorkloadSpec with(List<PodSet> changed) {
    return new WorkloadSpec(
        changed,
        queueName,
        priorityClassRef,
        priority,
        active,
        maximumExecutionTimeSeconds,
        preemptionGates);
  }
}
