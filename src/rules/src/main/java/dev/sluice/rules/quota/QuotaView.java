package dev.sluice.rules.quota;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.workload.PodSet;
import dev.sluice.quota.Snapshot;
import dev.sluice.rules.settings.GuardMode;
import java.util.List;
import java.util.Optional;

/**
 * What rules ask of the quotas. Answers come from memory; nothing waits for the cluster.
 * Thread-safe.
 */
public interface QuotaView {
  /** Nothing is known of the quotas, so rules report nothing about them. */
  QuotaView NONE =
      new QuotaView() {
        @Override
        public GuardMode mode() {
          return GuardMode.OFF;
        }

        @Override
        public Optional<Snapshot> snapshot() {
          return Optional.empty();
        }

        @Override
        public Optional<Refusal> reserve(JsonNode old, JsonNode now, boolean isTrial) {
          return Optional.empty();
        }

        @Override
        public Optional<Shortage> neverFits(String clusterQueue, PodSet podSet) {
          return Optional.empty();
        }

        @Override
        public boolean foreseesLosses() {
          return false;
        }

        @Override
        public Optional<List<QuotaLoss>> losses(JsonNode clusterQueue) {
          return Optional.empty();
        }

        @Override
        public QuotaView ofKnownCallers() {
          return this;
        }
      };

  /** The reaction to a reservation beyond quota. */
  GuardMode mode();

  /** The state of the quotas as it was seen last; empty until all of it was seen. */
  Optional<Snapshot> snapshot();

  /**
   * Checks whether the new reservation of a Workload fits beside all others. If it fits, it counts
   * as reserved from now on.
   *
   * @param old the stored Workload
   * @param now the Workload to be stored
   * @param isTrial whether it will not be stored, whatever the answer
   * @return why it is refused; empty if it fits or if that is unknown
   */
  Optional<Refusal> reserve(JsonNode old, JsonNode now, boolean isTrial);

  /**
   * The first resource of which pods ask for more than a ClusterQueue could ever give them, with
   * the flavor that has most of it; empty where they could fit, or where that is not known.
   *
   * @param podSet the pods; all of them count unless the pod set has a minCount
   */
  Optional<Shortage> neverFits(String clusterQueue, PodSet podSet);

  /** Whether {@link #losses} can have an answer. */
  boolean foreseesLosses();

  /**
   * Who would lose quota if a ClusterQueue were changed, as the engine decides. Blocks for some
   * milliseconds, so an event loop must not call it.
   *
   * @param clusterQueue as it would be, at the hub version
   * @return empty if that is not known in time
   */
  Optional<List<QuotaLoss>> losses(JsonNode clusterQueue);

  /** The same view, for callers that are known to be the API server. */
  QuotaView ofKnownCallers();
}
