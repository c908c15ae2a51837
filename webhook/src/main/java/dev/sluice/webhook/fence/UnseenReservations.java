package dev.sluice.webhook.fence;

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
 * Reservations that the fence allowed and that the snapshot may not show yet. Bounded in number,
 * size and time; times are those of a clock of nanoseconds. For one thread at a time.
 *
 * <p>A reservation of a Workload that the view confirms counts until the view shows its outcome, or
 * for 15 s after it was last requested, and for 30 s in all. After that it does not count, but the
 * entry stays, so that the same version of the Workload cannot reserve again. A reservation that
 * the view does not confirm counts for 1 s, unless the view confirms it within that time.
 */
final class UnseenReservations {
  /** Longer than a write may take from its review to its storage. */
  static final Duration CONFIRMED = Duration.ofSeconds(15);

  /** As long as a writer may try again upon the same version. */
  static final Duration REPEATED = Duration.ofSeconds(30);

  /** Far longer than a watch event takes. */
  static final Duration UNCONFIRMED = Duration.ofSeconds(1);

  static final int MOST = 10_000;
  static final int MOST_UNCONFIRMED = 1_000;

  /** The longest name or uid that the API server allows. */
  private static final int LONGEST_NAME = 253;

  private record Id(ObjectKey workload, String uid, long version, String clusterQueue) {
    static Id of(Reservation reservation) {
      return new Id(
          reservation.workload(),
          reservation.uid(),
          reservation.version(),
          reservation.clusterQueue());
    }
  }

  private static final class Remembered {
    private final long first;
    private Reservation reservation;
    private long last;
    private boolean confirmed;

    private Remembered(Reservation reservation, long now, boolean confirmed) {
      this.reservation = reservation;
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

  private final Map<Id, Remembered> entries = new LinkedHashMap<>();
  private int unconfirmed;

  boolean isEmpty() {
    return entries.isEmpty();
  }

  int size() {
    return entries.size();
  }

  /** Whether an earlier reservation for the same version still counts. */
  boolean has(Reservation reservation, long now) {
    Remembered made = entries.get(Id.of(reservation));
    return made != null && !made.isOver(now);
  }

  /** Whether another reservation that the view does not confirm can be added. */
  boolean hasRoomForUnconfirmed() {
    return unconfirmed < MOST_UNCONFIRMED && entries.size() < MOST;
  }

  /**
   * Counts the reservation from now on, together with earlier ones for the same version: either of
   * two writes may be the one that is stored. Ignored if the time for this version has run out.
   */
  void add(Reservation reservation, long now, boolean confirmed) {
    if (reservation.uid().length() > LONGEST_NAME
        || reservation.workload().name().length() > LONGEST_NAME
        || reservation.workload().namespace().length() > LONGEST_NAME) {
      return; // no such thing is ever stored
    }
    Remembered made = entries.get(Id.of(reservation));
    if (made == null) {
      entries.put(Id.of(reservation), new Remembered(reservation, now, confirmed));
      unconfirmed += confirmed ? 0 : 1;
      forgetBeyondBound();
    } else if (!made.isOver(now)) {
      made.reservation =
          made.reservation.with(larger(made.reservation.usage(), reservation.usage()));
      made.last = now;
      confirm(made, confirmed);
    }
  }

  /** The larger amount of each pair. */
  static Usage larger(Usage one, Usage other) {
    return one.equals(other) ? one : one.plus(other.beyond(one));
  }

  private void confirm(Remembered remembered, boolean confirmed) {
    if (confirmed && !remembered.confirmed) {
      remembered.confirmed = true;
      unconfirmed--;
    }
  }

  private void forgetBeyondBound() {
    if (entries.size() > MOST) {
      Iterator<Remembered> oldest = entries.values().iterator();
      unconfirmed -= oldest.next().confirmed ? 0 : 1;
      oldest.remove();
    }
  }

  /** Removes the reservations whose outcome the snapshot or the view shows, and expired ones. */
  void settle(Snapshot snapshot, SeenWorkloads view, long now) {
    Iterator<Remembered> each = entries.values().iterator();
    while (each.hasNext()) {
      Remembered remembered = each.next();
      ViewConfirmation confirmation = ViewConfirmation.of(remembered.reservation, view);
      boolean isKnown =
          confirmation == ViewConfirmation.GONE || remembered.reservation.isSettledBy(snapshot);
      confirm(
          remembered,
          confirmation == ViewConfirmation.CONFIRMED || confirmation == ViewConfirmation.OUTDATED);
      if (isKnown || (!remembered.confirmed && remembered.isOver(now))) {
        unconfirmed -= remembered.confirmed ? 0 : 1;
        each.remove();
      }
    }
  }

  /** The reservations that count now. */
  List<Reservation> counting(boolean confirmed, long now) {
    List<Reservation> counting = new ArrayList<>();
    for (Remembered remembered : entries.values()) {
      if (remembered.confirmed == confirmed && !remembered.isOver(now)) {
        counting.add(remembered.reservation);
      }
    }
    return counting;
  }
}
