package dev.sluice.jobs.ray;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.object.JobObject;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A kind whose operator creates RayClusters; their state gives its progress. */
interface RayClusterOwner extends JobIntegration {
  @Override
  default Set<GroupVersionKind> reads() {
    return Set.of(Framework.RAY_CLUSTER.type());
  }

  @Override
  default Optional<String> touchedBy(GroupKind kind, JsonNode object) {
    return kind.equals(Framework.RAY_CLUSTER.type().groupKind())
        ? JobObject.of(object).controllerOf(kind().groupKind())
        : Optional.empty();
  }

  @Override
  default Duration gathering(GroupKind changed) {
    return changed.equals(Framework.RAY_CLUSTER.type().groupKind()) ? GATHERING : Duration.ZERO;
  }
}
