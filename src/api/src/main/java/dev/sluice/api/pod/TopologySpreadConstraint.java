package dev.sluice.api.pod;

import dev.sluice.api.meta.LabelSelector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How evenly pods must be spread. */
public record TopologySpreadConstraint(
    int maxSkew,
    String topologyKey,
    String whenUnsatisfiable,
    @Nullable LabelSelector labelSelector,
    @Nullable Integer minDomains,
    @Nullable String nodeAffinityPolicy,
    @Nullable String nodeTaintsPolicy,
    List<String> matchLabelKeys) {
  public TopologySpreadConstraint {
    matchLabelKeys = List.copyOf(matchLabelKeys);
  }
}
