package dev.sluice.quota.decision;

import dev.sluice.api.meta.ObjectKey;

/** A workload that is evicted for another. */
public record Target(ObjectKey workload, String clusterQueue, Why why, boolean alreadyEvicted) {
  /** By what right; the text is the reason of its condition Preempted. */
  public enum Why {
    IN_CLUSTER_QUEUE("InClusterQueue", "prioritization in the ClusterQueue"),
    IN_COHORT_RECLAMATION("InCohortReclamation", "reclamation within the cohort"),
    IN_COHORT_FAIR_SHARING("InCohortFairSharing", "fair sharing within the cohort"),
    IN_COHORT_RECLAIM_WHILE_BORROWING(
        "InCohortReclaimWhileBorrowing", "reclamation within the cohort while borrowing");

    private final String text;
    private final String sentence;

    Why(String text, String sentence) {
      this.text = text;
      this.sentence = sentence;
    }

    public String text() {
      return text;
    }

    /** The same as text after "due to". */
    public String sentence() {
      return sentence;
    }
  }
}
