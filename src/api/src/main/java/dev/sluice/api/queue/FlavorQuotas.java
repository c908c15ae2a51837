package dev.sluice.api.queue;

import java.util.List;

/** The quota of one flavor. */
public record FlavorQuotas(String name, List<ResourceQuota> resources) {
  public FlavorQuotas {
    resources = List.copyOf(resources);
  }
}
