package dev.sluice.cli.world;

import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.TopologyAssignment;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.topology.AssignmentCodec;
import dev.sluice.quota.topology.PodPlacement;

/** Where the pods of workloads are placed, unpacked from the slices that an admission keeps. */
final class Placements {
  private Placements() {}

  /** Whether some pods of a workload are placed on the node of this name. */
  static boolean runsOn(Workload workload, String node) {
    Admission admission = workload.status().admission();
    return admission != null
        && admission.podSetAssignments().stream()
            .map(PodSetAssignment::topologyAssignment)
            .anyMatch(assignment -> assignment != null && isOn(assignment, node));
  }

  private static boolean isOn(TopologyAssignment assignment, String node) {
    PodPlacement placement = AssignmentCodec.decode(assignment);
    return placement.domains().stream().anyMatch(domain -> domain.values().getLast().equals(node));
  }
}
