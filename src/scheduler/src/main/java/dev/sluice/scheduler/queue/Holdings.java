package dev.sluice.scheduler.queue;

import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.world.WorkloadState;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** How many Workloads have quota of one queue, and how much. For one thread. */
public final class Holdings {
  private int reserving;
  private int admitted;
  private final Map<FlavorResource, Long> reserved = new HashMap<>();
  private final Map<FlavorResource, Long> used = new HashMap<>();

  /** Counts a Workload with quota of it. */
  public void add(WorkloadState workload) {
    reserving++;
    workload.usage().forEach((pair, amount) -> reserved.merge(pair, amount, Amounts::plus));
    if (workload.admitted()) {
      admitted++;
      workload.usage().forEach((pair, amount) -> used.merge(pair, amount, Amounts::plus));
    }
  }

  /** Whether as many Workloads have as much. */
  boolean isAs(Holdings other) {
    return reserving == other.reserving
        && admitted == other.admitted
        && reserved.equals(other.reserved)
        && used.equals(other.used);
  }

  /** How many have quota of it. */
  public int reserving() {
    return reserving;
  }

  /** How many of those are admitted, too. */
  public int admitted() {
    return admitted;
  }

  /** What all of them have of a pair, in the base unit of its resource. */
  public long reserved(FlavorResource pair) {
    return reserved.getOrDefault(pair, 0L);
  }

  /** What those have of a pair that are admitted, in the base unit of its resource. */
  public long used(FlavorResource pair) {
    return used.getOrDefault(pair, 0L);
  }

  /** What all of them have, in the base unit of each resource. */
  public Map<FlavorResource, Long> reserved() {
    return Collections.unmodifiableMap(reserved);
  }

  /** What those have that are admitted, in the base unit of each resource. */
  public Map<FlavorResource, Long> used() {
    return Collections.unmodifiableMap(used);
  }
}
