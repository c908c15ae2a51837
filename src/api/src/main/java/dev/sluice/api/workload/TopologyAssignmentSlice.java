package dev.sluice.api.workload;

import java.util.List;

/** Some domains: their values, one entry per level, and their pods. */
public record TopologyAssignmentSlice(
    int domainCount,
    List<TopologyAssignmentSliceLevelValues> valuesPerLevel,
    TopologyAssignmentSlicePodCounts podCounts) {
  public TopologyAssignmentSlice {
    valuesPerLevel = List.copyOf(valuesPerLevel);
  }
}
