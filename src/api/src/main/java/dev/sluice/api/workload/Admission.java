package dev.sluice.api.workload;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The quota that a workload has reserved. */
public record Admission(@Nullable String clusterQueue, List<PodSetAssignment> podSetAssignments) {
  public Admission {
    podSetAssignments = List.copyOf(podSetAssignments);
  }
}
