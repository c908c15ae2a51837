package dev.sluice.api.queue;

import java.util.List;

/** What of one flavor is in use. */
public record FlavorUsage(String name, List<ResourceUsage> resources) {
  public FlavorUsage {
    resources = List.copyOf(resources);
  }
}
