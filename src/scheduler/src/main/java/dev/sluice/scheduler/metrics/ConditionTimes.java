package dev.sluice.scheduler.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.read.Timestamps;
import dev.sluice.api.vocabulary.ConditionTypes;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/** The times that the conditions of a Workload name. */
final class ConditionTimes {
  private ConditionTimes() {}

  static Optional<Instant> since(JsonNode condition) {
    return instant(condition.path("lastTransitionTime"));
  }

  static Optional<Instant> since(JsonNode workload, String type) {
    return Conditions.find(workload, type).flatMap(ConditionTimes::since);
  }

  /** Since when it waits: it was requeued then, or made. */
  static Optional<Instant> queued(JsonNode workload) {
    return since(workload, ConditionTypes.REQUEUED).or(() -> created(workload));
  }

  static Optional<Instant> created(JsonNode object) {
    return instant(object.path("metadata").path("creationTimestamp"));
  }

  private static Optional<Instant> instant(JsonNode node) {
    try {
      return node.isTextual() ? Optional.of(Timestamps.parse(node.asText())) : Optional.empty();
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
