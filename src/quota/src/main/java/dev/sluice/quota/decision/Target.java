package dev.sluice.quota.decision;

import dev.sluice.quota.world.ObjectKey;

/** A workload that has to give way. */
public record Target(ObjectKey workload, String clusterQueue, Why why, boolean alreadyEvicted) {
  /** By what right; the text is the reason of its condition Preempted. */
  public enum Why {
    IN_CLUSTER_QUEUE("InClusterQueue"),
    IN_COHORT_RECLAMATION("InCohortReclamation"),
    IN_COHORT_FAIR_SHARING("InCohortFairSharing"),
    IN_COHORT_RECLAIM_WHILE_BORROWING("InCohortReclaimWhileBorrowing");

    private final String text;

    Why(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }
}
