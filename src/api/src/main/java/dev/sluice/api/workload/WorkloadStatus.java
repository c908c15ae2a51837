package dev.sluice.api.workload;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.Conditions;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How far a workload has come. */
public record WorkloadStatus(
    List<Condition> conditions,
    @Nullable Admission admission,
    List<AdmissionCheckState> admissionChecks,
    @Nullable RequeueState requeueState,
    List<ReclaimablePod> reclaimablePods,
    List<PodSetRequest> resourceRequests,
    List<PreemptionGateState> preemptionGates,
    @Nullable Integer accumulatedPastExecutionTimeSeconds,
    @Nullable SchedulingStats schedulingStats,
    List<String> nominatedClusterNames,
    @Nullable String clusterName,
    List<UnhealthyNode> unhealthyNodes) {
  public WorkloadStatus {
    conditions = List.copyOf(conditions);
    admissionChecks = List.copyOf(admissionChecks);
    reclaimablePods = List.copyOf(reclaimablePods);
    resourceRequests = List.copyOf(resourceRequests);
    preemptionGates = List.copyOf(preemptionGates);
    nominatedClusterNames = List.copyOf(nominatedClusterNames);
    unhealthyNodes = List.copyOf(unhealthyNodes);
  }

  /** The status of a Workload that nothing has happened to. */
  public static final WorkloadStatus EMPTY =
      new WorkloadStatus(
          List.of(), null, List.of(), null, List.of(), List.of(), List.of(), null, null, List.of(),
          null, List.of());

  /** The condition of that type. */
  public Optional<Condition> condition(String type) {
    return Conditions.find(conditions, type);
  }

  /** Whether the condition of that type is True. */
  public boolean isTrue(String type) {
    return Conditions.isTrue(conditions, type);
  }

  /** A builder with all that this one has. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Builds a status from another one; what is not set stays as it was there. For one thread. */
  public static final class Builder {
    private List<Condition> conditions;
    private @Nullable Admission admission;
    private List<AdmissionCheckState> admissionChecks;
    private @Nullable RequeueState requeueState;
    private List<ReclaimablePod> reclaimablePods;
    private List<PodSetRequest> resourceRequests;
    private List<PreemptionGateState> preemptionGates;
    private @Nullable Integer accumulatedPastExecutionTimeSeconds;
    private @Nullable SchedulingStats schedulingStats;
    private List<String> nominatedClusterNames;
    private @Nullable String clusterName;
    private List<UnhealthyNode> unhealthyNodes;

    private Builder(WorkloadStatus from) {
      this.conditions = from.conditions;
      this.admission = from.admission;
      this.admissionChecks = from.admissionChecks;
      this.requeueState = from.requeueState;
      this.reclaimablePods = from.reclaimablePods;
      this.resourceRequests = from.resourceRequests;
      this.preemptionGates = from.preemptionGates;
      this.accumulatedPastExecutionTimeSeconds = from.accumulatedPastExecutionTimeSeconds;
      this.schedulingStats = from.schedulingStats;
      this.nominatedClusterNames = from.nominatedClusterNames;
      this.clusterName = from.clusterName;
      this.unhealthyNodes = from.unhealthyNodes;
    }

    public Builder conditions(List<Condition> value) {
      this.conditions = value;
      return this;
    }

    public Builder admission(@Nullable Admission value) {
      this.admission = value;
      return this;
    }

    public Builder admissionChecks(List<AdmissionCheckState> value) {
      this.admissionChecks = value;
      return this;
    }

    public Builder requeueState(@Nullable RequeueState value) {
      this.requeueState = value;
      return this;
    }

    public Builder reclaimablePods(List<ReclaimablePod> value) {
      this.reclaimablePods = value;
      return this;
    }

    public Builder resourceRequests(List<PodSetRequest> value) {
      this.resourceRequests = value;
      return this;
    }

    public Builder preemptionGates(List<PreemptionGateState> value) {
      this.preemptionGates = value;
      return this;
    }

    public Builder accumulatedPastExecutionTimeSeconds(@Nullable Integer value) {
      this.accumulatedPastExecutionTimeSeconds = value;
      return this;
    }

    public Builder schedulingStats(@Nullable SchedulingStats value) {
      this.schedulingStats = value;
      return this;
    }

    public Builder nominatedClusterNames(List<String> value) {
      this.nominatedClusterNames = value;
      return this;
    }

    public Builder clusterName(@Nullable String value) {
      this.clusterName = value;
      return this;
    }

    public Builder unhealthyNodes(List<UnhealthyNode> value) {
      this.unhealthyNodes = value;
      return this;
    }

    public WorkloadStatus build() {
      return new WorkloadStatus(
          conditions,
          admission,
          admissionChecks,
          requeueState,
          reclaimablePods,
          resourceRequests,
          preemptionGates,
          accumulatedPastExecutionTimeSeconds,
          schedulingStats,
          nominatedClusterNames,
          clusterName,
          unhealthyNodes);
    }
  }
}
