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
    return toBuilder().podSets(changed).build();
  }

  /** A builder with all that this one has. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Builds a spec from another one; what is not set stays as it was there. For one thread. */
  public static final class Builder {
    private List<PodSet> podSets;
    private @Nullable String queueName;
    private @Nullable PriorityClassRef priorityClassRef;
    private @Nullable Integer priority;
    private boolean active;
    private @Nullable Integer maximumExecutionTimeSeconds;
    private List<PreemptionGate> preemptionGates;

    private Builder(WorkloadSpec from) {
      this.podSets = from.podSets;
      this.queueName = from.queueName;
      this.priorityClassRef = from.priorityClassRef;
      this.priority = from.priority;
      this.active = from.active;
      this.maximumExecutionTimeSeconds = from.maximumExecutionTimeSeconds;
      this.preemptionGates = from.preemptionGates;
    }

    public Builder podSets(List<PodSet> value) {
      this.podSets = value;
      return this;
    }

    public Builder queueName(@Nullable String value) {
      this.queueName = value;
      return this;
    }

    public Builder priorityClassRef(@Nullable PriorityClassRef value) {
      this.priorityClassRef = value;
      return this;
    }

    public Builder priority(@Nullable Integer value) {
      this.priority = value;
      return this;
    }

    public Builder active(boolean value) {
      this.active = value;
      return this;
    }

    public Builder maximumExecutionTimeSeconds(@Nullable Integer value) {
      this.maximumExecutionTimeSeconds = value;
      return this;
    }

    public Builder preemptionGates(List<PreemptionGate> value) {
      this.preemptionGates = value;
      return this;
    }

    public WorkloadSpec build() {
      return new WorkloadSpec(
          podSets,
          queueName,
          priorityClassRef,
          priority,
          active,
          maximumExecutionTimeSeconds,
          preemptionGates);
    }
  }
}
