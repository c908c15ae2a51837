package dev.sluice.quota.trial;

import dev.sluice.quota.tree.Vector;
import dev.sluice.quota.world.WorkloadState;

/** A workload that holds quota, with its place in the tree. Compared by identity. */
public final class Held {
  private final WorkloadState workload;
  private final int node;
  private final Vector usage;

  Held(WorkloadState workload, int node, Vector usage) {
    this.workload = workload;
    this.node = node;
    this.usage = usage;
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

  @Override
  public String toString() {
    return workload.toString();
  }
}
