package dev.sluice.quota.audit;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.QuotaUsage;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.world.WorkloadState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks a snapshot against the laws of the ledger: usage is the sum of what workloads hold, in
 * every node; nothing is available beyond what could ever be; a workload holds quota once or waits
 * once; no domain is booked beyond what its nodes have. It can be done in pieces, so that each
 * costs no more than it may. For one thread.
 */
// Every law is one of a single object and its neighbours: a queue and its holders, a cohort and its
// children, a workload and its place. So a piece needs nothing of the pieces before it, and all of
// them together say as much as a look at the whole.
public final class Audit {
  private final Snapshot snapshot;
  private final Iterator<QuotaTree> trees;
  private final Iterator<String> queues;
  private final Iterator<WorkloadState> workloads;
  private Iterator<ObjectKey> waiting = Collections.emptyIterator();
  private String queue = "";
  private @Nullable QuotaUsage ledger;
  private int node;
  private boolean begun;
  private final List<String> findings = new ArrayList<>();

  /** Before its first step. */
  public Audit(Snapshot snapshot) {
    this.snapshot = snapshot;
    this.trees = snapshot.trees().iterator();
    this.queues = snapshot.clusterQueues().iterator();
    this.workloads = snapshot.workloads().iterator();
  }

  /** One sentence for each law that is broken, naming the object; none for a sound state. */
  public static List<String> findings(Snapshot snapshot) {
    var audit = new Audit(snapshot);
    while (audit.goOn(Integer.MAX_VALUE)) {} // one call does it
    return audit.findings();
  }

  /** As {@link #findings}, of one ClusterQueue, its workloads and the cohorts above it. */
  public static List<String> findingsAround(Snapshot snapshot, String clusterQueue) {
    var audit = new Audit(snapshot);
    QuotaTree tree = snapshot.treeOf(clusterQueue);
    if (tree != null) {
      QuotaUsage ledger = tree.ledger();
      int at = tree.shape().node(NodeName.clusterQueue(clusterQueue));
      for (; at != TreeShape.NOWHERE; at = tree.shape().parent(at)) {
        audit.checkNode(ledger, at);
      }
    }
    for (ObjectKey key : snapshot.waiting(clusterQueue)) {
      audit.checkWaiting(key, clusterQueue);
    }
    return audit.findings();
  }

  /** What was found so far. */
  public List<String> findings() {
    return List.copyOf(findings);
  }

  /**
   * Continues the audit.
   *
   * @param budget about how many amounts and workloads to check; exceeded at most by the size of
   *     the largest ClusterQueue or Cohort
   * @return whether there is more to check
   */
  public boolean goOn(int budget) {
    long left = budget;
    while (left > 0) {
      int cost = next();
      if (cost == 0) {
        return false;
      }
      left -= cost;
    }
    return true;
  }

  /** Looks at the next object; answers what that cost, or 0 if there was none. */
  private int next() {
    if (!begun) {
      begun = true;
      findings.addAll(snapshot.overbooked());
      return 1;
    }
    if (ledger != null && node < ledger.shape().size()) {
      return checkNode(ledger, node++);
    }
    if (trees.hasNext()) {
      ledger = trees.next().ledger();
      node = 0;
      return 1;
    }
    if (waiting.hasNext()) {
      checkWaiting(waiting.next(), queue);
      return 1;
    }
    if (queues.hasNext()) {
      queue = queues.next();
      waiting = snapshot.waiting(queue).iterator();
      return 1;
    }
    if (workloads.hasNext()) {
      checkPlace(workloads.next());
      return 1;
    }
    return 0;
  }

  private int checkNode(QuotaUsage of, int at) {
    TreeShape shape = of.shape();
    List<WorkloadState> holders =
        shape.isQueue(at) ? snapshot.holders(shape.name(at).name()) : List.of();
    long[] expected = shape.isQueue(at) ? held(shape, at, holders) : shared(of, at);
    for (int column = 0; column < shape.width(); column++) {
      checkCell(of, at, column, expected[column]);
    }
    int children = shape.childQueues(at).length + shape.childCohorts(at).length;
    return 1 + holders.size() + shape.width() * (1 + children);
  }

  private long[] held(TreeShape shape, int at, List<WorkloadState> holders) {
    String name = shape.name(at).name();
    Map<FlavorResource, Long> sum = new HashMap<>();
    for (WorkloadState holder : holders) {
      boolean rightly =
          holder == snapshot.state(holder.key())
              && holder.holdsQuota()
              && holder.reservedIn().equals(name);
      if (!rightly) {
        findings.add("Workload " + holder.key() + " counts in ClusterQueue " + name + " wrongly");
      }
      holder.usage().forEach((pair, amount) -> sum.merge(pair, amount, Amounts::plus));
    }
    long[] amounts = new long[shape.width()];
    sum.forEach(
        (pair, amount) -> {
          int column = shape.column(pair);
          if (column == TreeShape.NOWHERE && amount > 0) {
            findings.add(shape.name(at) + " uses " + pair + ", which its tree does not know");
          } else if (column != TreeShape.NOWHERE) {
            amounts[column] = amount;
          }
        });
    return amounts;
  }

  /** What children use beyond what they keep for themselves. */
  private static long[] shared(QuotaUsage of, int cohort) {
    TreeShape shape = of.shape();
    long[] amounts = new long[shape.width()];
    for (int[] children : List.of(shape.childQueues(cohort), shape.childCohorts(cohort))) {
      for (int child : children) {
        for (int column = 0; column < amounts.length; column++) {
          long beyond = Amounts.minus(of.usage(child, column), shape.localQuota(child, column));
          amounts[column] = Amounts.plus(amounts[column], Amounts.notNegative(beyond));
        }
      }
    }
    return amounts;
  }

  private void checkCell(QuotaUsage of, int at, int column, long expected) {
    TreeShape shape = of.shape();
    long kept = of.usage(at, column);
    if (kept != expected) {
      findings.add(
          "%s, %s: usage is kept as %d, but what counts there is %d"
              .formatted(shape.name(at), shape.pair(column), kept, expected));
    }
    if (of.available(at, column) > shape.potentialAvailable(at, column)) {
      findings.add(
          "%s, %s: more is available than there could ever be"
              .formatted(shape.name(at), shape.pair(column)));
    }
  }

  private void checkWaiting(ObjectKey key, String in) {
    WorkloadState workload = snapshot.state(key);
    if (workload == null) {
      findings.add("Workload " + key + " waits in ClusterQueue " + in + " but is gone");
    } else if (!workload.admissible() || !in.equals(snapshot.queueFor(workload))) {
      findings.add("Workload " + key + " waits in ClusterQueue " + in + " without a reason");
    }
  }

  private void checkPlace(WorkloadState workload) {
    ObjectKey key = workload.key();
    String belongs = workload.admissible() ? snapshot.queueFor(workload) : null;
    if (belongs != null
        && snapshot.hasClusterQueue(belongs)
        && !snapshot.waitsSoundly(key, belongs)) {
      findings.add("Workload " + key + " should wait in ClusterQueue " + belongs + ", once");
    }
    if (workload.holdsQuota() && !snapshot.holds(key, workload.reservedIn())) {
      findings.add("Workload " + key + " holds quota that is not counted");
    }
  }
}
