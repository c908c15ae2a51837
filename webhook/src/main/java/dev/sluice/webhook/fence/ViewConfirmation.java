package dev.sluice.webhook.fence;

import dev.sluice.webhook.fence.SeenWorkloads.Seen;
import java.util.Optional;

/** What a view says of the Workload that a reservation names: it must have that uid and version. */
enum ViewConfirmation {
  /** The Workload exists at that version and belongs to that ClusterQueue. */
  CONFIRMED,
  /** The view lags behind, or only the caller claims that such a Workload exists. */
  UNCONFIRMED,
  /** The Workload has a later version: the reviewed write is part of it, or was not stored. */
  OUTDATED,
  /** The Workload was deleted or never existed. */
  GONE;

  static ViewConfirmation of(Reservation reservation, SeenWorkloads view) {
    long reached = view.reached(); // read first: what is found later is not older
    Optional<Seen> found = view.find(reservation.workload());
    boolean isPast = reached > 0 && reached >= reservation.version();
    if (found.isEmpty()) {
      return isPast ? GONE : UNCONFIRMED;
    }
    Seen seen = found.get();
    if (!seen.uid().equals(reservation.uid())) { // its predecessor or its successor
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
