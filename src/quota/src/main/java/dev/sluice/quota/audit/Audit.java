package dev.sluice.quota.audit;

import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.tree.Ledger;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.world.ObjectKey;
import dev.sluice.quota.world.WorkloadState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks a snapshot against the laws of the ledger (reference: 9.4): usage is the sum of what
 * workloads hold, in every node; nothing is available beyond what could ever be; a workload holds
 * quota once or waits once. Costs as much as the trees it looks at are large.
 */
public final class Audit {
  private final Snapshot snapshot;
  private final Set<ObjectKey> seen = new HashSet<>();
  private final Set<String> queues;
  private final List<String> findings = new ArrayList<>();

  private Audit(Snapshot snapshot) {
    this.snapshot = snapshot;
    this.queues = Set.copyOf(snapshot.clusterQueues());
  }

  /** One sentence for each law that is broken, naming the object; none for a sound state. */
  public static List<String> findings(Snapshot snapshot) {
    var audit = new Audit(snapshot);
    for (QuotaTree tree : snapshot.trees()) {
      audit.check(tree);
    }
    snapshot.clusterQueues().forEach(audit::checkWaiting);
    snapshot.workloads().forEach(audit::checkPlace);
    return List.copyOf(audit.findings);
  }

  /** As {@link #findings}, of the tree of one ClusterQueue: for a check while others wait. */
  public static List<String> findingsAround(Snapshot snapshot, String clusterQueue) {
    var audit = new Audit(snapshot);
    QuotaTree tree = snapshot.treeOf(clusterQueue);
    if (tree != null) {
      audit.check(tree);
      for (int node = 0; node < tree.shape().size(); node++) {
        if (tree.shape().isQueue(node)) {
          audit.checkWaiting(tree.shape().name(node).name());
        }
      }
    }
    return List.copyOf(audit.findings);
  }

  private void check(QuotaTree tree) {
    TreeShape shape = tree.shape();
    Ledger ledger = tree.ledger();
    long[][] usage = new long[shape.size()][shape.width()];
    for (int node = shape.size() - 1; node >= 0; node--) {
      if (shape.isQueue(node)) {
        addHolders(shape, node, usage[node]);
      }
      for (int column = 0; column < shape.width(); column++) {
        checkCell(ledger, node, column, usage[node][column]);
        if (node > 0) {
          long shared =
              Amounts.notNegative(
                  Amounts.minus(usage[node][column], shape.localQuota(node, column)));
          int parent = shape.parent(node);
          usage[parent][column] = Amounts.plus(usage[parent][column], shared);
        }
      }
    }
  }

  private void addHolders(TreeShape shape, int node, long[] usage) {
    Map<FlavorResource, Long> sum = new HashMap<>();
    for (WorkloadState holder : snapshot.holders(shape.name(node).name())) {
      if (!seen.add(holder.key())) {
        findings.add("Workload " + holder.key() + " holds quota twice");
      }
      holder.usage().forEach((pair, amount) -> sum.merge(pair, amount, Amounts::plus));
    }
    sum.forEach(
        (pair, amount) -> {
          int column = shape.column(pair);
          if (column == TreeShape.NOWHERE) {
            findings.add(shape.name(node) + " uses " + pair + ", which its tree does not know");
          } else {
            usage[column] = amount;
          }
        });
  }

  private void checkCell(Ledger ledger, int node, int column, long expected) {
    TreeShape shape = ledger.shape();
    long kept = ledger.usage(node, column);
    String where = shape.name(node) + ", " + shape.pair(column);
    if (kept != expected) {
      findings.add(where + ": usage is kept as " + kept + ", workloads hold " + expected);
    }
    if (ledger.available(node, column) > shape.potentialAvailable(node, column)) {
      findings.add(where + ": more is available than there could ever be");
    }
  }

  private void checkWaiting(String queue) {
    List<ObjectKey> waiting = new ArrayList<>(snapshot.pending(queue));
    waiting.addAll(snapshot.inadmissible(queue));
    for (ObjectKey key : waiting) {
      if (!seen.add(key)) {
        findings.add("Workload " + key + " waits in ClusterQueue " + queue + " and elsewhere");
      }
      if (snapshot.workload(key) == null) {
        findings.add("Workload " + key + " waits in ClusterQueue " + queue + " but is gone");
      }
    }
  }

  private void checkPlace(WorkloadState workload) {
    String queue = snapshot.queueFor(workload);
    boolean known = queue != null && queues.contains(queue);
    boolean shouldWait = workload.admissible() && known;
    if (shouldWait && !seen.contains(workload.key())) {
      findings.add("Workload " + workload.key() + " should wait in ClusterQueue " + queue);
    }
    if (!shouldWait && !workload.holdsQuota() && seen.contains(workload.key())) {
      findings.add("Workload " + workload.key() + " waits, but has no queue to wait in");
    }
  }
}
