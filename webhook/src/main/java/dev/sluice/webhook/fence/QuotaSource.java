package dev.sluice.webhook.fence;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.quota.Snapshot;
import dev.sluice.rules.quota.QuotaLoss;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Where the state of the quotas is known from. Answers from memory at once, but for {@link
 * #losses}. Thread-safe.
 */
public interface QuotaSource {
  /** Nothing is known. */
  QuotaSource NONE = Optional::empty;

  /** The state as it was seen last; empty before all was seen once. */
  Optional<Snapshot> snapshot();

  /** The Workloads that the view shows, by which the words of a caller are checked. */
  default SeenWorkloads workloads() {
    return SeenWorkloads.NONE;
  }

  /**
   * Registers a listener for new snapshots, called on any thread; several snapshots may be reported
   * as one.
   */
  default void onMove(Runnable listener) {}

  /** Whether {@link #losses} can have an answer. */
  default boolean foreseesLosses() {
    return false;
  }

  /**
   * Who would lose quota if a ClusterQueue were like this. Blocks for some milliseconds.
   *
   * @param clusterQueue at the hub version
   * @return empty if that is not known in time
   */
  default Optional<List<QuotaLoss>> losses(JsonNode clusterQueue) {
    return Optional.empty();
  }

  /** What a scheduler has decided on and the API server need not have seen yet. */
  default Collection<Reservation> decided() {
    return List.of();
  }
}
