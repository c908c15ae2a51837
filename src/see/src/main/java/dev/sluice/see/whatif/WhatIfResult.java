package dev.sluice.see.whatif;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;
import java.util.List;

/**
 * What would happen.
 *
 * @param outcomes of the jobs and Workloads, in the order in which they were given
 * @param delayed the workloads that have quota now and would lose it
 * @param usage what would be used more or less, by ClusterQueue
 * @param truncated whether the time was over before all was found out
 */
public record WhatIfResult(
    List<WhatIfOutcome> outcomes, List<Delay> delayed, List<UsageChange> usage, boolean truncated) {
  public WhatIfResult {
    outcomes = List.copyOf(outcomes);
    delayed = List.copyOf(delayed);
    usage = List.copyOf(usage);
  }

  /**
   * A workload that would lose its quota.
   *
   * @param returns whether it would get quota again at once
   */
  public record Delay(ObjectKey workload, boolean returns) {}

  /** What a ClusterQueue would use of one resource of one flavor. */
  public record UsageChange(
      String clusterQueue, FlavorResource pair, Amount before, Amount after) {}
}
