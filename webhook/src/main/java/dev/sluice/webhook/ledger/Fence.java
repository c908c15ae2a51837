package dev.sluice.webhook.ledger;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.tree.Ledger;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.world.ObjectKey;
import dev.sluice.quota.world.WorkloadState;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets no reservation through that does not fit beside all others. Thread-safe.
 *
 * <p>What is let through is promised: it counts from then on, for it may be stored before the view
 * shows it, and the next one must not get the same quota. A promise ends when the view shows a
 * later state of its Workload: either the write is in it, or it was not stored, since a write is
 * stored only onto the state that was reviewed. It ends too when a Workload that was in the view is
 * no longer there. One whose write failed and whose Workload stays as it is ends after a while. So
 * several reviews at a time are as safe as one after the other, in one process; under the lock a
 * review adds to a ledger what is promised and decided and not seen yet.
 */
final class Fence {
  /** Longer than a write may take from its review to its storage. */
  private static final long LONGEST = Duration.ofSeconds(15).toNanos();

  private static final int MOST_PROMISES = 10_000;

  private static final class Promise {
    private final Pledge pledge;
    private final long madeAt;
    private boolean isSeen;

    private Promise(Pledge pledge, long madeAt, boolean isSeen) {
      this.pledge = pledge;
      this.madeAt = madeAt;
      this.isSeen = isSeen;
    }

    /** Whether the snapshot shows what became of it. */
    private boolean isOver(Snapshot snapshot) {
      boolean isThere = snapshot.workload(pledge.workload()) != null;
      boolean isGone = isSeen && !isThere;
      isSeen |= isThere;
      return isGone || isSettled(pledge, snapshot);
    }
  }

  private final QuotaSource source;
  private final LongSupplier nanoTime;

  @GuardedBy("this")
  private final Map<ObjectKey, Promise> promises = new LinkedHashMap<>();

  private Fence(QuotaSource source, LongSupplier nanoTime) {
    this.source = source;
    this.nanoTime = nanoTime;
  }

  /** Looks at each move of its source what has ended there. */
  static Fence following(QuotaSource source, LongSupplier nanoTime) {
    Fence fence = new Fence(source, nanoTime);
    source.onMove(fence::settle);
    return fence;
  }

  /**
   * Promises the Workload what it is to have, if that fits.
   *
   * @param old the stored state; null if it has no quota
   * @param base the version of the stored state
   * @param promises whether it counts from now on
   * @return what is missing, if it does not fit
   */
  synchronized Optional<Shortage> reserve(
      WorkloadState now, @Nullable WorkloadState old, long base, boolean promises) {
    Optional<Snapshot> snapshot = source.snapshot();
    String queue = now.reservedIn();
    QuotaTree tree = snapshot.map(it -> it.treeOf(queue)).orElse(null);
    if (tree == null) {
      return Optional.empty();
    }
    Usage before = old != null && old.reservedIn().equals(queue) ? old.usage() : Usage.NONE;
    Usage more = now.usage().beyond(before).withoutZeros();
    if (more.size() == 0) {
      return Optional.empty();
    }
    Snapshot seen = snapshot.orElseThrow();
    Optional<Shortage> shortage = shortage(seen, tree, queue, now, more);
    if (shortage.isEmpty() && promises) {
      Pledge pledge = new Pledge(now.key(), now.uid(), base, queue, now.usage());
      promise(new Promise(pledge, nanoTime.getAsLong(), seen.workload(now.key()) != null));
    }
    return shortage;
  }

  private synchronized void settle() {
    if (!promises.isEmpty()) {
      source.snapshot().ifPresent(this::settle);
    }
  }

  @GuardedBy("this")
  private void settle(Snapshot snapshot) {
    long now = nanoTime.getAsLong();
    promises.values().removeIf(it -> now - it.madeAt > LONGEST || it.isOver(snapshot));
  }

  @GuardedBy("this")
  private Optional<Shortage> shortage(
      Snapshot snapshot, QuotaTree tree, String queue, WorkloadState now, Usage more) {
    TreeShape shape = tree.shape();
    Ledger ledger = tree.ledger();
    Set<ObjectKey> counted = new HashSet<>();
    take(ledger, snapshot, now.key(), counted);
    ObjectKey replaced = now.replaces();
    if (replaced != null) { // its quota goes to this one
      take(ledger, snapshot, replaced, counted);
    }
    addPromised(ledger, snapshot, counted);
    source.decided().forEach(pledge -> add(ledger, snapshot, pledge, counted));
    int node = shape.node(NodeName.clusterQueue(queue));
    for (FlavorResource pair : more.keys()) {
      int column = shape.column(pair);
      long asked = now.usage().of(pair);
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
  private static void take(
      Ledger ledger, Snapshot snapshot, ObjectKey key, Set<ObjectKey> counted) {
    counted.add(key);
    WorkloadState held = snapshot.state(key);
    if (held != null && held.holdsQuota()) {
      int node = ledger.shape().node(NodeName.clusterQueue(held.reservedIn()));
      if (node != TreeShape.NOWHERE) {
        ledger.remove(node, ledger.shape().vector(held.usage()));
      }
    }
  }

  @GuardedBy("this")
  private void addPromised(Ledger ledger, Snapshot snapshot, Set<ObjectKey> counted) {
    settle(snapshot);
    promises.values().forEach(it -> add(ledger, snapshot, it.pledge, counted));
  }

  /** Whether the snapshot knows better. */
  private static boolean isSettled(Pledge pledge, Snapshot snapshot) {
    Workload seen = snapshot.workload(pledge.workload());
    return seen != null
        && (!seen.metadata().uid().equals(pledge.uid())
            || QuotaSight.version(seen) > pledge.version());
  }

  /** Adds what the snapshot does not count. */
  private static void add(Ledger ledger, Snapshot snapshot, Pledge pledge, Set<ObjectKey> counted) {
    WorkloadState seen = snapshot.state(pledge.workload());
    int node = ledger.shape().node(NodeName.clusterQueue(pledge.clusterQueue()));
    boolean isCounted = (seen != null && seen.holdsQuota()) || isSettled(pledge, snapshot);
    if (node != TreeShape.NOWHERE && !isCounted && counted.add(pledge.workload())) {
      ledger.add(node, ledger.shape().vector(pledge.usage()));
    }
  }

  @GuardedBy("this")
  private void promise(Promise made) {
    promises.put(made.pledge.workload(), made);
    if (promises.size() > MOST_PROMISES) {
      promises.remove(promises.keySet().iterator().next());
    }
  }
}
