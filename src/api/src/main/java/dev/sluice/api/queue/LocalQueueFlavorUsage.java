package dev.sluice.api.queue;

import java.util.List;

/** What of one flavor the workloads of a LocalQueue have. */
public record LocalQueueFlavorUsage(String name, List<LocalQueueResourceUsage> resources) {
  public LocalQueueFlavorUsage {
    resources = List.copyOf(resources);
  }
}
