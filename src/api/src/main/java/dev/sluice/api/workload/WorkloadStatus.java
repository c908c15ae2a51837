package dev.sluice.api.workload;

import dev.sluice.api.meta.Condition;
import java.util.List;
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
}
