package dev.sluice.jobs.plan;

/** Where a Workload runs, and what is known of its Pods if that is another cluster. */
public enum RemoteStop {
  /** It runs on this cluster: its job tells whether Pods run. */
  LOCAL,
  /** It is sent to other clusters, and no controller here follows it: only its job is known. */
  UNFOLLOWED,
  /** It is sent to other clusters, and Pods may run there. */
  MAY_RUN,
  /** It is sent to other clusters, and no Pods run there any more. */
  CERTAIN;

  /** Whether its Pods are to run on another cluster, so that they must not run here. */
  public boolean isElsewhere() {
    return this != LOCAL;
  }
}
