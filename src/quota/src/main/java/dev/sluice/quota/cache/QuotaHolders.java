package dev.sluice.quota.cache;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.tree.CohortForest;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.world.WorkloadState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The workloads that hold quota of each ClusterQueue. Keeps the usage of the trees up to date. For
 * one thread.
 */
public final class QuotaHolders {
  private static final PersistentMap<ObjectKey, WorkloadState> NOBODY = PersistentMap.empty();

  private final CohortForest forest;
  private PersistentMap<String, PersistentMap<ObjectKey, WorkloadState>> holders =
      PersistentMap.empty();
  private final Map<NodeName, Long> changes = new HashMap<>(); // by tree

  public QuotaHolders(CohortForest forest) {
    this.forest = forest;
  }

  private QuotaHolders(QuotaHolders other, CohortForest forest) {
    this.forest = forest;
    this.holders = other.holders;
  }

  /** The same holders in that forest, which is a fork of this one's. */
  public QuotaHolders fork(CohortForest fork) {
    return new QuotaHolders(this, fork);
  }

  public PersistentMap<String, PersistentMap<ObjectKey, WorkloadState>> holders() {
    return holders;
  }

  public PersistentMap<ObjectKey, WorkloadState> in(String queue) {
    PersistentMap<ObjectKey, WorkloadState> own = holders.find(queue);
    return own == null ? NOBODY : own;
  }

  /**
   * How often a holder in the tree with that root was added, was removed, or changed in what a
   * search for victims reads. In a fork, the count starts at zero.
   */
  public long changes(NodeName root) {
    return changes.getOrDefault(root, 0L);
  }

  private void count(String queue) {
    NodeName root = forest.rootOf(queue);
    if (root != null) {
      changes.merge(root, 1L, Long::sum);
    }
  }

  void add(WorkloadState workload) {
    String queue = workload.reservedIn();
    count(queue);
    holders = holders.with(queue, in(queue).with(workload.key(), workload));
    forest.addUsage(queue, workload.usage());
  }

  /** Replaces the status of a holder; its usage stays as it is. */
  void update(WorkloadState old, WorkloadState workload) {
    String queue = workload.reservedIn();
    if (!WorkloadChanges.isSameCandidate(old, workload)) {
      count(queue);
    }
    holders = holders.with(queue, in(queue).with(workload.key(), workload));
  }

  void remove(WorkloadState workload) {
    String queue = workload.reservedIn();
    count(queue);
    PersistentMap<ObjectKey, WorkloadState> rest = in(queue).without(workload.key());
    holders = rest.isEmpty() ? holders.without(queue) : holders.with(queue, rest);
    forest.removeUsage(queue, workload.usage(), left(queue, workload.usage(), rest));
  }

  /**
   * The usage that is left in the queue. A saturated sum has lost its terms, so it is added up
   * again.
   */
  private Usage left(String queue, Usage gone, PersistentMap<ObjectKey, WorkloadState> rest) {
    Map<FlavorResource, Long> left = new HashMap<>();
    Set<FlavorResource> saturated = new HashSet<>();
    forest
        .usageOf(queue)
        .forEach(
            (pair, amount) -> {
              if (amount == Amounts.UNLIMITED) {
                saturated.add(pair);
              }
              left.put(pair, Amounts.minus(amount, gone.of(pair)));
            });
    for (FlavorResource pair : saturated) {
      left.put(pair, sum(pair, rest));
    }
    left.values().removeIf(amount -> amount == 0);
    return Usage.of(left);
  }

  private static long sum(FlavorResource pair, PersistentMap<ObjectKey, WorkloadState> holders) {
    long sum = 0;
    for (WorkloadState workload : holders.values()) {
      sum = Amounts.plus(sum, workload.usage().of(pair));
    }
    return sum;
  }
}
