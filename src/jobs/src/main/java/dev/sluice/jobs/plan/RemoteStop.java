package dev.sluice.jobs.plan;

/** What is known of the Pods of a Workload that may run on other clusters. */
public enum RemoteStop {
  /** It runs on this cluster: its job tells whether Pods run. */
  LOCAL,
  /** It is sent to other clusters, and Pods may run there. */
  MAY_RUN,
  /** It is sent to other clusters, and no Pods run there any more. */
  CERTAIN
}
