package dev.sluice.see.standing;

import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.inventory.Inactivity;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.QuotaUsage;
import dev.sluice.quota.tree.TreeShape;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Reads from a snapshot what each cohort and ClusterQueue has. */
public final class Standings {
  private final Snapshot snapshot;
  private final TreeShape shape;
  private final QuotaUsage ledger;

  private Standings(Snapshot snapshot, QuotaTree tree) {
    this.snapshot = snapshot;
    this.shape = tree.shape();
    this.ledger = tree.ledger();
  }

  /**
   * The roots of all trees in the order of their names, each with all below it. A circle of cohorts
   * is cut at one place. Costs the nodes, each with the pairs of its tree.
   */
  public static List<NodeStanding> of(Snapshot snapshot) {
    return snapshot.shownTrees().stream()
        .map(tree -> new Standings(snapshot, tree).node(0))
        .toList();
  }

  private NodeStanding node(int node) {
    List<NodeStanding> children = new ArrayList<>();
    for (int cohort : shape.childCohorts(node)) {
      children.add(node(cohort));
    }
    for (int queue : shape.childQueues(node)) {
      children.add(node(queue));
    }
    NodeName name = shape.name(node);
    int waiting =
        name.isClusterQueue()
            ? snapshot.waitingCount(name.name())
            : children.stream().mapToInt(NodeStanding::waiting).sum();
    int holding =
        name.isClusterQueue()
            ? snapshot.holders(name.name()).size()
            : children.stream().mapToInt(NodeStanding::holding).sum();
    return new NodeStanding(
        name,
        ledger.share(node).rounded(),
        waiting,
        holding,
        name.isClusterQueue() ? inactive(name.name()) : "",
        pairs(node),
        children);
  }

  private String inactive(String clusterQueue) {
    return snapshot.inactivity(clusterQueue).stream()
        .map(Inactivity::message)
        .collect(Collectors.joining("; "));
  }

  private List<PairStanding> pairs(int node) {
    List<PairStanding> pairs = new ArrayList<>();
    for (int column = 0; column < shape.width(); column++) {
      long used = ledger.usage(node, column);
      if (shape.lists(node, column) || used > 0) {
        long quota = shape.subtreeQuota(node, column);
        long available = ledger.available(node, column);
        pairs.add(
            new PairStanding(
                shape.pair(column),
                new Amount(shape.nominal(node, column)),
                new Amount(quota),
                new Amount(used),
                new Amount(Amounts.notNegative(Amounts.minus(used, quota))),
                new Amount(lent(quota, used, available)),
                new Amount(available)));
      }
    }
    return pairs;
  }

  private static long lent(long quota, long used, long available) {
    long unused = Amounts.notNegative(Amounts.minus(quota, used));
    return Amounts.notNegative(Amounts.minus(unused, Amounts.notNegative(available)));
  }
}
