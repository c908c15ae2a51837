package dev.sluice.api.workload;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pods of each domain: one number for all domains of the slice, or one for each. */
public record TopologyAssignmentSlicePodCounts(
    @Nullable Integer universal, List<Integer> individual) {
  public TopologyAssignmentSlicePodCounts {
    individual = List.copyOf(individual);
  }
}
