package dev.sluice.quota.trial;

import dev.sluice.quota.tree.Vector;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;

/** A workload that holds quota, with its place in the tree. Compared by identity. */
public final class Held {
  private final WorkloadState workload;
  private final int node;
  private final Vector usage;
  private final boolean evicted;
  private final Instant since;

  Held(WorkloadState workload, int node, Vector usage, Instant now) {
    this.workload = workload;
    this.node = node;
    this.usage = usage;
    this.evicted = workload.evicted();
    this.since = workload.reservedSince(now);
  }

  public WorkloadState workload() {
    return workload;
  }

  /** The node of its ClusterQueue. */
  public int node() {
    return node;
  }

  public Vector usage() {
    return usage;
  }

  /** Whether it is evicted. */
  public boolean evicted() {
    return evicted;
  }

  /**
   * The order of preemption among the workloads of one queue: evicted ones first, then by priority,
   * the youngest first.
   */
  public int compareAsCandidate(Held other) {
    if (evicted != other.evicted) {
      return evicted ? -1 : 1;
    }
    int byPriority = Long.compare(workload.priority(), other.workload.priority());
    if (byPriority != 0) {
      return byPriority;
    }
    int byAge = other.since.compareTo(since);
    if (byAge != 0) {
      return byAge;
    }
    int byUid = workload.uid().compareTo(other.workload.uid());
    return byUid != 0 ? byUid : workload.key().compareTo(other.workload.key());
  }

  @Override
  public String toString() {
    return workload.toString();
  }
}
