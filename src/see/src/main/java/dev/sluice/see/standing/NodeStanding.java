package dev.sluice.see.standing;

import dev.sluice.quota.tree.NodeName;
import java.util.List;

/**
 * A ClusterQueue, or a cohort with those below it.
 *
 * @param weightedShare its dominant resource share by weight, in thousandths, rounded up; 0 where
 *     it borrows nothing
 * @param waiting the workloads that wait in the ClusterQueue, or in those below the cohort
 * @param children cohorts first, each in the order of their names
 */
public record NodeStanding(
    NodeName name,
    long weightedShare,
    int waiting,
    List<PairStanding> pairs,
    List<NodeStanding> children) {
  public NodeStanding {
    pairs = List.copyOf(pairs);
    children = List.copyOf(children);
  }
}
