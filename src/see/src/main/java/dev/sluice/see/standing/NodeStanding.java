package dev.sluice.see.standing;

import dev.sluice.quota.tree.NodeName;
import java.util.List;

/**
 * A ClusterQueue, or a cohort with those below it.
 *
 * @param weightedShare its dominant resource share by weight, in thousandths, rounded up; 0 where
 *     it borrows nothing
 * @param waiting the workloads that wait in the ClusterQueue, or in those below the cohort
 * @param holding the workloads that have quota in it, or in those below the cohort
 * @param inactive why the ClusterQueue admits nothing, in sentences; empty for one that is active,
 *     and for a cohort
 * @param children cohorts first, each in the order of their names
 */
public record NodeStanding(
    NodeName name,
    long weightedShare,
    int waiting,
    int holding,
    String inactive,
    List<PairStanding> pairs,
    List<NodeStanding> children) {
  public NodeStanding {
    pairs = List.copyOf(pairs);
    children = List.copyOf(children);
  }
}
