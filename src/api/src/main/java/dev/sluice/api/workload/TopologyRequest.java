package dev.sluice.api.workload;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How close together the pods of a set are to run. */
public record TopologyRequest(
    @Nullable String required,
    @Nullable String preferred,
    @Nullable Boolean unconstrained,
    @Nullable String podIndexLabel,
    @Nullable String subGroupIndexLabel,
    @Nullable Integer subGroupCount,
    @Nullable String podSetGroupName,
    @Nullable String podSetSliceRequiredTopology,
    @Nullable Integer podSetSliceSize,
    List<PodSetSliceTopologyConstraint> podsetSliceRequiredTopologyConstraints) {
  public TopologyRequest {
    podsetSliceRequiredTopologyConstraints = List.copyOf(podsetSliceRequiredTopologyConstraints);
  }
}
