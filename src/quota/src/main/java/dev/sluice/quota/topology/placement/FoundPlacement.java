package dev.sluice.quota.topology.placement;

import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.quota.topology.AssignmentCodec;
import dev.sluice.quota.topology.PodPlacement;
import dev.sluice.quota.world.WorkloadState;
import org.jspecify.annotations.Nullable;

/**
 * A placement.
 *
 * @param workers the places of the pods
 * @param leader the place of the leader, or null if there is none
 */
public record FoundPlacement(PodPlacement workers, @Nullable PodPlacement leader) {
  /** The places that the admission of the workload names for that PodSet, or null. */
  public static @Nullable PodPlacement present(WorkloadState workload, int podSet) {
    Admission admission = workload.admission();
    PodSet spec = workload.workload().spec().podSets().get(podSet);
    if (admission == null) {
      return null;
    }
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      if (assignment.topologyAssignment() != null && assignment.name().equals(spec.name())) {
        return AssignmentCodec.decode(assignment, spec);
      }
    }
    return null;
  }
}
