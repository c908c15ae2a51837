package dev.sluice.quota.decision;

/** How one flavor can serve one resource, from the worst to the best. */
public enum FlavorMode {
  NO_FIT,
  /** It needs preemption, but no workload may be preempted. */
  NO_CANDIDATES,
  /** Workloads of the own queue have to be evicted. */
  PREEMPT,
  /** Only workloads of other queues have to be evicted. */
  RECLAIM,
  FIT
}
