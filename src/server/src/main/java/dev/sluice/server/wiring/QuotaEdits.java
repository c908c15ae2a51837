package dev.sluice.server.wiring;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.rules.quota.QuotaLoss;
import java.util.List;
import java.util.Optional;

/** Tries edits of quotas on the engine of a scheduler. Thread-safe. */
public interface QuotaEdits {
  /**
   * Who would lose quota if a ClusterQueue were like this.
   *
   * @param clusterQueue at the hub version
   * @return empty if that is not known in time, or another edit is being tried
   */
  Optional<List<QuotaLoss>> losses(JsonNode clusterQueue);
}
