package dev.sluice.api.workload;

import java.util.List;

/** How many pods run in which domain, packed in slices. */
public record TopologyAssignment(List<String> levels, List<TopologyAssignmentSlice> slices) {
  public TopologyAssignment {
    levels = List.copyOf(levels);
    slices = List.copyOf(slices);
  }
}
