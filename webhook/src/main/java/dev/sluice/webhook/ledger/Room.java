package dev.sluice.webhook.ledger;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.QuotaUsage;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.rules.quota.Shortage;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether there is room for a claim, by a snapshot and by pledges that the snapshot need not show.
 */
record Room(Snapshot snapshot, QuotaTree tree, Claim claim) {
  /** What one object has, or is to have, in one ClusterQueue. */
  private record Slot(ObjectKey workload, String uid, String clusterQueue) {
    static Slot of(Pledge pledge) {
      return new Slot(pledge.workload(), pledge.uid(), pledge.clusterQueue());
    }
  }

  /** The first pair of which there is not enough beside all that was pledged. */
  Optional<Shortage> shortage(List<? extends Collection<Pledge>> pledges) {
    QuotaUsage ledger = tree.ledger();
    take(ledger, claim.now().key());
    ObjectKey replaced = claim.now().replaces();
    if (replaced != null) { // its quota goes to this one
      take(ledger, replaced);
    }
    unseen(pledges).forEach((slot, usage) -> add(ledger, slot, usage));
    return shortage(ledger);
  }

  private Optional<Shortage> shortage(QuotaUsage ledger) {
    TreeShape shape = tree.shape();
    String queue = claim.clusterQueue();
    int node = shape.node(NodeName.clusterQueue(queue));
    for (FlavorResource pair : claim.wanted()) {
      int column = shape.column(pair);
      long asked = claim.now().usage().of(pair);
      if (column != TreeShape.NOWHERE
          && shape.lists(node, column)
          && !ledger.fits(node, column, asked)) {
        long left = Math.max(0, ledger.available(node, column));
        long most = shape.potentialAvailable(node, column);
        return Optional.of(new Shortage(queue, pair, asked, left, most));
      }
    }
    return Optional.empty();
  }

  /** Takes away what the Workload has by the snapshot; it is not to be counted again. */
  private void take(QuotaUsage ledger, ObjectKey key) {
    WorkloadState held = snapshot.state(key);
    if (held != null && held.holdsQuota()) {
      int node = ledger.shape().node(NodeName.clusterQueue(held.reservedIn()));
      if (node != TreeShape.NOWHERE) {
        ledger.remove(node, ledger.shape().vector(held.usage()));
      }
    }
  }

  /** Of several pledges to one Workload the largest amounts: any of them may be the one stored. */
  private Map<Slot, Usage> unseen(List<? extends Collection<Pledge>> pledges) {
    Map<Slot, Usage> unseen = new LinkedHashMap<>();
    for (Collection<Pledge> some : pledges) {
      for (Pledge pledge : some) {
        if (!pledge.isSettledBy(snapshot) && !isOwn(pledge)) {
          unseen.merge(Slot.of(pledge), pledge.usage(), Promises::larger);
        }
      }
    }
    return unseen;
  }

  private boolean isOwn(Pledge other) {
    return other.workload().equals(claim.now().replaces())
        || (other.workload().equals(claim.now().key()) && other.uid().equals(claim.now().uid()));
  }

  /** Adds what the snapshot does not count. */
  private void add(QuotaUsage ledger, Slot slot, Usage usage) {
    int node = ledger.shape().node(NodeName.clusterQueue(slot.clusterQueue()));
    if (node != TreeShape.NOWHERE) {
      WorkloadState seen = snapshot.state(slot.workload());
      Usage more = seen != null && isIn(slot, seen) ? usage.beyond(seen.usage()) : usage;
      ledger.add(node, ledger.shape().vector(more));
    }
  }

  private static boolean isIn(Slot slot, WorkloadState seen) {
    return seen.holdsQuota()
        && seen.uid().equals(slot.uid())
        && seen.reservedIn().equals(slot.clusterQueue());
  }
}
