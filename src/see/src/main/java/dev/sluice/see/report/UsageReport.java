package dev.sluice.see.report;

import dev.sluice.quota.amount.FlavorResource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What groups of Workloads used in a time.
 *
 * @param groups in the order of their names
 * @param gaps how many times the history may lack something in that time, and how long they were
 */
public record UsageReport(
    Instant since, Instant until, Grouping by, List<Group> groups, Gaps gaps) {
  public UsageReport {
    groups = List.copyOf(groups);
  }

  /**
   * A group.
   *
   * @param name of the queue, the namespace, or the owner with its namespace
   * @param started how many got quota, and how long these had waited
   * @param evictions how often one was evicted that held quota
   * @param hours of each pair of flavor and resource, in order
   */
  public record Group(String name, Waits started, int finished, int evictions, List<Hours> hours) {
    public Group {
      hours = List.copyOf(hours);
    }
  }

  /** How long Workloads waited from the moment they were queued until they got quota. */
  public record Waits(int count, Duration p50, Duration p90, Duration p99) {}

  /**
   * Hours of one unit of the resource: core hours for cpu, byte hours for memory.
   *
   * @param held while quota was reserved, whether the pods ran or not
   * @param borrowed the part of it beyond the nominal quota of the ClusterQueue
   * @param lent what others of the cohort borrowed of what this queue did not use; only by queue
   * @param lost the part of it that ended with an eviction
   */
  public record Hours(
      FlavorResource pair, double held, double borrowed, double lent, double lost) {}

  /** Times of which the history may lack transitions. */
  public record Gaps(int count, Duration total) {}
}
