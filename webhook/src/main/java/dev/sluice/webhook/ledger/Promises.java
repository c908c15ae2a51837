package dev.sluice.webhook.ledger;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reservations that were let through and that the snapshot need not show yet. Bounded in number,
 * size and time; times are those of a clock of nanoseconds. For one thread at a time.
 *
 * <p>A promise to a Workload that the view confirms counts until the view shows what became of it,
 * or for 15 s after it was last made, and for 30 s in all. Then it counts no more, and is kept to
 * remember that this version of the Workload was promised enough. One that the view does not
 * confirm counts for 1 s, unless the view confirms it within that time.
 */
final class Promises {
  /** Longer than a write may take from its review to its storage. */
  static final Duration CONFIRMED = Duration.ofSeconds(15);

  /** As long as a writer may try again upon the same version. */
  static final Duration REPEATED = Duration.ofSeconds(30);

  /** Far longer than a watch event takes. */
  static final Duration UNCONFIRMED = Duration.ofSeconds(1);

  static final int MOST = 10_000;
  static final int MOST_UNCONFIRMED = 1_000;

  /** As long as the API server lets names and uids be. */
  private static final int LONGEST_NAME = 253;

  private record Id(ObjectKey workload, String uid, long version, String clusterQueue) {
    static Id of(Pledge pledge) {
      return new Id(pledge.workload(), pledge.uid(), pledge.version(), pledge.clusterQueue());
    }
  }

  private static final class Promise {
    private final long first;
    private Pledge pledge;
    private long last;
    private boolean confirmed;

    private Promise(Pledge pledge, long now, boolean confirmed) {
      this.pledge = pledge;
      this.first = now;
      this.last = now;
      this.confirmed = confirmed;
    }

    private boolean isOver(long now) {
      return confirmed
          ? now - last > CONFIRMED.toNanos() || now - first > REPEATED.toNanos()
          : now - first > UNCONFIRMED.toNanos();
    }
  }

  private final Map<Id, Promise> promises = new LinkedHashMap<>();
  private int unconfirmed;

  boolean isEmpty() {
    return promises.isEmpty();
  }

  int size() {
    return promises.size();
  }

  /** Whether something was promised upon the same version that still counts. */
  boolean has(Pledge pledge, long now) {
    Promise made = promises.get(Id.of(pledge));
    return made != null && !made.isOver(now);
  }

  /** Whether one more can be taken in that the view does not confirm. */
  boolean hasRoomForUnconfirmed() {
    return unconfirmed < MOST_UNCONFIRMED && promises.size() < MOST;
  }

  /**
   * Counts the pledge from now on, beside what was promised upon the same version before: of two
   * writes either may be the one that is stored. Nothing is counted for a version that was promised
   * long enough.
   */
  void make(Pledge pledge, long now, boolean confirmed) {
    if (pledge.uid().length() > LONGEST_NAME
        || pledge.workload().name().length() > LONGEST_NAME
        || pledge.workload().namespace().length() > LONGEST_NAME) {
      return; // no such thing is ever stored
    }
    Promise made = promises.get(Id.of(pledge));
    if (made == null) {
      promises.put(Id.of(pledge), new Promise(pledge, now, confirmed));
      unconfirmed += confirmed ? 0 : 1;
      forgetBeyondBound();
    } else if (!made.isOver(now)) {
      made.pledge = made.pledge.with(larger(made.pledge.usage(), pledge.usage()));
      made.last = now;
      confirm(made, confirmed);
    }
  }

  /** The larger amount of each pair. */
  static Usage larger(Usage one, Usage other) {
    return one.equals(other) ? one : one.plus(other.beyond(one));
  }

  private void confirm(Promise promise, boolean confirmed) {
    if (confirmed && !promise.confirmed) {
      promise.confirmed = true;
      unconfirmed--;
    }
  }

  private void forgetBeyondBound() {
    if (promises.size() > MOST) {
      Iterator<Promise> oldest = promises.values().iterator();
      unconfirmed -= oldest.next().confirmed ? 0 : 1;
      oldest.remove();
    }
  }

  /** Looks what became of each, and forgets what is known better or over. */
  void settle(Snapshot snapshot, SeenWorkloads view, long now) {
    Iterator<Promise> each = promises.values().iterator();
    while (each.hasNext()) {
      Promise promise = each.next();
      Evidence evidence = Evidence.of(promise.pledge, view);
      boolean isKnown = evidence == Evidence.GONE || promise.pledge.isSettledBy(snapshot);
      confirm(promise, evidence == Evidence.CONFIRMED || evidence == Evidence.OUTDATED);
      if (isKnown || (!promise.confirmed && promise.isOver(now))) {
        unconfirmed -= promise.confirmed ? 0 : 1;
        each.remove();
      }
    }
  }

  /** What counts now. */
  List<Pledge> counting(boolean confirmed, long now) {
    List<Pledge> counting = new ArrayList<>();
    for (Promise promise : promises.values()) {
      if (promise.confirmed == confirmed && !promise.isOver(now)) {
        counting.add(promise.pledge);
      }
    }
    return counting;
  }
}
