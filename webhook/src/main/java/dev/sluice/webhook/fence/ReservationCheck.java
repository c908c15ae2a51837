package dev.sluice.webhook.fence;

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

/** Whether a request fits, by a snapshot and by reservations that the snapshot may not show yet. */
record ReservationCheck(Snapshot snapshot, QuotaTree tree, ReservationRequest request) {
  /** The usage of one Workload in one ClusterQueue. */
  private record Slot(ObjectKey workload, String uid, String clusterQueue) {
    static Slot of(Reservation reservation) {
      return new Slot(reservation.workload(), reservation.uid(), reservation.clusterQueue());
    }
  }

  /** The first pair of flavor and resource with too little quota beside the reservations. */
  Optional<Shortage> shortage(List<? extends Collection<Reservation>> reservations) {
    QuotaUsage ledger = tree.ledger();
    take(ledger, request.now().key());
    ObjectKey replaced = request.now().replaces();
    if (replaced != null) { // its quota goes to this one
      take(ledger, replaced);
    }
    unseen(reservations).forEach((slot, usage) -> add(ledger, slot, usage));
    return shortage(ledger);
  }

  private Optional<Shortage> shortage(QuotaUsage ledger) {
    TreeShape shape = tree.shape();
    String queue = request.clusterQueue();
    int node = shape.node(NodeName.clusterQueue(queue));
    for (FlavorResource pair : request.wanted()) {
      int column = shape.column(pair);
      long asked = request.now().usage().of(pair);
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

  /** Removes what the Workload holds in the snapshot, so that it is not counted twice. */
  private void take(QuotaUsage ledger, ObjectKey key) {
    WorkloadState held = snapshot.state(key);
    if (held != null && held.holdsQuota()) {
      int node = ledger.shape().node(NodeName.clusterQueue(held.reservedIn()));
      if (node != TreeShape.NOWHERE) {
        ledger.remove(node, ledger.shape().vector(held.usage()));
      }
    }
  }

  /** The largest amounts of several reservations of one Workload: any of them may be stored. */
  private Map<Slot, Usage> unseen(List<? extends Collection<Reservation>> reservations) {
    Map<Slot, Usage> unseen = new LinkedHashMap<>();
    for (Collection<Reservation> some : reservations) {
      for (Reservation reservation : some) {
        if (!reservation.isSettledBy(snapshot) && !isOwn(reservation)) {
          unseen.merge(Slot.of(reservation), reservation.usage(), UnseenReservations::larger);
        }
      }
    }
    return unseen;
  }

  private boolean isOwn(Reservation other) {
    return other.workload().equals(request.now().replaces())
        || (other.workload().equals(request.now().key())
            && other.uid().equals(request.now().uid()));
  }

  /** Adds the amounts that the snapshot does not count. */
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
