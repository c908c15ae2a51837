package dev.sluice.api.workload;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Copies;
import dev.sluice.api.meta.Default;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one pod set has reserved, for all its pods together. */
public record PodSetAssignment(
    @Default("main") String name,
    Map<String, String> flavors,
    Map<String, Quantity> resourceUsage,
    @Nullable Integer count,
    @Nullable TopologyAssignment topologyAssignment,
    @Nullable DelayedTopologyRequestState delayedTopologyRequest) {
  public PodSetAssignment {
    flavors = Copies.of(flavors);
    resourceUsage = Copies.of(resourceUsage);
  }
}
