package dev.sluice.webhook.fence;

import dev.sluice.webhook.fence.SeenWorkloads.Seen;
import java.util.Optional;

/** What a view says of the Workload that a reservation names: it must have that uid and version. */
enum ViewConfirmation {
  /** It is there at that version, and belongs to that ClusterQueue. */
  CONFIRMED,
  /** The view has not come that far; or nobody but the caller says that there is such a thing. */
  UNCONFIRMED,
  /** It has a later version: what was reviewed is in it, or was not stored. */
  OUTDATED,
  /** It was deleted, or never existed. */
  GONE;

  static ViewConfirmation of(Reservation reservation, SeenWorkloads view) {
    long reached = view.reached(); // first: what is found after it is no older
    Optional<Seen> found = view.find(reservation.workload());
    boolean isPast = reached > 0 && reached >= reservation.version();
    if (found.isEmpty()) {
      return isPast ? GONE : UNCONFIRMED;
    }
    Seen seen = found.get();
    if (!seen.uid().equals(reservation.uid())) { // its predecessor, or its successor
      return isPast || seen.version() > reservation.version() ? GONE : UNCONFIRMED;
    }
    if (seen.version() != reservation.version()) {
      return isPast || seen.version() > reservation.version() ? OUTDATED : UNCONFIRMED;
    }
    return seen.clusterQueue().filter(reservation.clusterQueue()::equals).isPresent()
        ? CONFIRMED
        : UNCONFIRMED;
  }
}
