package dev.sluice.quota.topology;

import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.TopologyAssignment;
import dev.sluice.quota.world.WorkloadState;
import org.jspecify.annotations.Nullable;

/**
 * Room that was found.
 *
 * @param workers where the pods go
 * @param leader where the pod that leads them goes, or null where there is none
 */
public record Placing(PodPlacement workers, @Nullable PodPlacement leader) {
  /** The places that the admission of the workload names for that PodSet, or null. */
  public static @Nullable PodPlacement present(WorkloadState workload, int podSet) {
    Admission admission = workload.admission();
    String name = workload.workload().spec().podSets().get(podSet).name();
    if (admission == null) {
      return null;
    }
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      TopologyAssignment topology = assignment.topologyAssignment();
      if (topology != null && assignment.name().equals(name)) {
        return AssignmentCodec.decode(topology);
      }
    }
    return null;
  }
}
