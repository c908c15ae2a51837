package dev.sluice.see.whatif;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What would happen.
 *
 * @param outcomes of the jobs and Workloads, in the order in which they were given
 * @param delayed the workloads that have quota now and would lose it, and those that would get it
 *     later
 * @param usage what would be used more or less, by ClusterQueue
 * @param until the time up to which queues are played forward; null where they are not
 * @param truncated whether the time was over before all was found out
 */
public record WhatIfResult(
    List<WhatIfOutcome> outcomes,
    List<Delay> delayed,
    List<UsageChange> usage,
    @Nullable Instant until,
    boolean truncated) {
  public WhatIfResult {
    outcomes = List.copyOf(outcomes);
    delayed = List.copyOf(delayed);
    usage = List.copyOf(usage);
  }

  /**
   * A workload that would lose its quota, or get it later.
   *
   * @param was when it would get quota otherwise; null for one that has it now
   * @param returns whether it would get quota again at once
   * @param starts when it would get quota; null where that is not known, or not within the time
   *     that is played forward
   */
  public record Delay(
      ObjectKey workload, @Nullable Instant was, boolean returns, @Nullable Instant starts) {}

  /** What a ClusterQueue would use of one resource of one flavor. */
  public record UsageChange(
      String clusterQueue, FlavorResource pair, Amount before, Amount after) {}
}
