package dev.sluice.webhook.ledger;

import dev.sluice.webhook.ledger.SeenWorkloads.Seen;
import java.util.Optional;

/** What a view says of the Workload that a pledge names: it must have that uid and version. */
enum Evidence {
  /** It is there at that version, and belongs to that ClusterQueue. */
  CONFIRMED,
  /** The view has not come that far; or nobody but the caller says that there is such a thing. */
  UNCONFIRMED,
  /** It has a later version: what was reviewed is in it, or was not stored. */
  OUTDATED,
  /** It was deleted, or never existed. */
  GONE;

  static Evidence of(Pledge pledge, SeenWorkloads view) {
    long reached = view.reached(); // first: what is found after it is no older
    Optional<Seen> found = view.find(pledge.workload());
    boolean isPast = reached > 0 && reached >= pledge.version();
    if (found.isEmpty()) {
      return isPast ? GONE : UNCONFIRMED;
    }
    Seen seen = found.get();
    if (!seen.uid().equals(pledge.uid())) { // its predecessor, or its successor
      return isPast || seen.version() > pledge.version() ? GONE : UNCONFIRMED;
    }
    if (seen.version() != pledge.version()) {
      return isPast || seen.version() > pledge.version() ? OUTDATED : UNCONFIRMED;
    }
    return seen.clusterQueue().filter(pledge.clusterQueue()::equals).isPresent()
        ? CONFIRMED
        : UNCONFIRMED;
  }
}
