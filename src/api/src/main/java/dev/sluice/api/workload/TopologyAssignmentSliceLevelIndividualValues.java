package dev.sluice.api.workload;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value for each domain: what all begin with, its own part, what all end with. */
public record TopologyAssignmentSliceLevelIndividualValues(
    @Nullable String prefix, @Nullable String suffix, List<String> roots) {
  public TopologyAssignmentSliceLevelIndividualValues {
    roots = List.copyOf(roots);
  }
}
