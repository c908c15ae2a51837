package dev.sluice.api.flavor;

import dev.sluice.api.meta.Copies;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which nodes belong to a flavor, and what a pod must tolerate there. */
public record ResourceFlavorSpec(
    Map<String, String> nodeLabels,
    List<Taint> nodeTaints,
    List<Toleration> tolerations,
    @Nullable String topologyName) {
  public ResourceFlavorSpec {
    nodeLabels = Copies.of(nodeLabels);
    nodeTaints = List.copyOf(nodeTaints);
    tolerations = List.copyOf(tolerations);
  }
}
