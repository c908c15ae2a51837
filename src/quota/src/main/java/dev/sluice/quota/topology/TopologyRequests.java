package dev.sluice.quota.topology;

import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetSliceTopologyConstraint;
import dev.sluice.api.workload.TopologyRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the topologyRequest of a PodSet: the levels it names, its group, and whether it requires or
 * prefers one domain.
 */
public final class TopologyRequests {
  private TopologyRequests() {}

  /** Whether the PodSet requests domains explicitly. */
  public static boolean explicit(PodSet podSet) {
    TopologyRequest request = podSet.topologyRequest();
    return request != null
        && (Boolean.TRUE.equals(request.unconstrained())
            || given(request.required()) != null
            || given(request.preferred()) != null
            || !layers(request).isEmpty());
  }

  /**
   * The levels that a flavor must have to serve the PodSet: that of the PodSet and that of its
   * outermost slices. A missing level of slices within slices leaves the flavor in place and fails
   * the placement.
   */
  public static List<String> levels(PodSet podSet) {
    List<String> levels = new ArrayList<>();
    TopologyRequest request = podSet.topologyRequest();
    if (request != null) {
      String level = level(request);
      if (level != null) {
        levels.add(level);
      }
      layers(request).stream().limit(1).forEach(layer -> levels.add(layer.topology()));
    }
    return levels;
  }

  /** The name of the PodSet's group, or null. */
  public static @Nullable String group(PodSet podSet) {
    TopologyRequest request = podSet.topologyRequest();
    return request == null ? null : given(request.podSetGroupName());
  }

  /** The level at which pods must be together, or null if the request names none. */
  public static @Nullable String level(TopologyRequest request) {
    String required = given(request.required());
    return required == null ? given(request.preferred()) : required;
  }

  /** The layers of slices, outermost first; none where pods are placed one by one. */
  public static List<PodSetSliceTopologyConstraint> layers(TopologyRequest request) {
    if (!request.podsetSliceRequiredTopologyConstraints().isEmpty()) {
      return request.podsetSliceRequiredTopologyConstraints();
    }
    String topology = given(request.podSetSliceRequiredTopology());
    Integer size = request.podSetSliceSize();
    return topology == null
        ? List.of()
        : List.of(new PodSetSliceTopologyConstraint(topology, size == null ? 0 : size));
  }

  public static @Nullable String given(@Nullable String text) {
    return text == null || text.isEmpty() ? null : text;
  }
}
