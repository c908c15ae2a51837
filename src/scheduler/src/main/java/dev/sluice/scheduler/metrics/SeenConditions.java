package dev.sluice.scheduler.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.read.Timestamps;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/** Conditions of a Workload as it was seen, and the moments they speak of. */
final class SeenConditions {
  private SeenConditions() {}

  static Optional<JsonNode> find(JsonNode workload, String type) {
    for (JsonNode condition : workload.path("status").path("conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return Optional.of(condition);
      }
    }
    return Optional.empty();
  }

  static boolean isTrue(JsonNode condition) {
    return condition.path("status").asText().equals("True");
  }

  static boolean isTrue(JsonNode workload, String type) {
    return find(workload, type).filter(SeenConditions::isTrue).isPresent();
  }

  static Optional<Instant> since(JsonNode condition) {
    return instant(condition.path("lastTransitionTime"));
  }

  static Optional<Instant> since(JsonNode workload, String type) {
    return find(workload, type).flatMap(SeenConditions::since);
  }

  /** Since when it waits: it was requeued then, or made. */
  static Optional<Instant> queued(JsonNode workload) {
    return since(workload, "Requeued").or(() -> created(workload));
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
