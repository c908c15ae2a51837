package dev.sluice.api.workload;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Copies;
import java.util.Map;

/** What a pod set without reservation would take, for all its pods together. */
public record PodSetRequest(String name, Map<String, Quantity> resources) {
  public PodSetRequest {
    resources = Copies.of(resources);
  }
}
