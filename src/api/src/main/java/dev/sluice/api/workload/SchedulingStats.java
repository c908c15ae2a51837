package dev.sluice.api.workload;

import java.util.List;

/** What has happened to a workload so far. */
public record SchedulingStats(List<EvictionCount> evictions) {
  public SchedulingStats {
    evictions = List.copyOf(evictions);
  }
}
