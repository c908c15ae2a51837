package dev.sluice.webhook.guard;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalInt;

/**
 * The state of a Pod of a Job.
 *
 * @param terminating whether it is being deleted
 * @param tracked whether the Job controller has yet to count it
 * @param index its completion index; empty if it has none
 */
record PodFacts(
    String name, String uid, Phase phase, boolean terminating, boolean tracked, OptionalInt index) {
  private static final String TRACKING = "batch.kubernetes.io/job-tracking";
  private static final String INDEX = "batch.kubernetes.io/job-completion-index";

  /** How far it has come. */
  enum Phase {
    ALIVE,
    SUCCEEDED,
    FAILED
  }

  static PodFacts of(JsonNode pod) {
    JsonNode metadata = pod.path("metadata");
    return new PodFacts(
        metadata.path("name").asText(),
        metadata.path("uid").asText(),
        phase(pod.path("status").path("phase").asText()),
        metadata.path("deletionTimestamp").isTextual(),
        isTracked(metadata.path("finalizers")),
        index(metadata.path("annotations").path(INDEX).asText()));
  }

  private static Phase phase(String text) {
    return switch (text) {
      case "Succeeded" -> Phase.SUCCEEDED;
      case "Failed" -> Phase.FAILED;
      default -> Phase.ALIVE;
    };
  }

  private static boolean isTracked(JsonNode finalizers) {
    for (JsonNode finalizer : finalizers) {
      if (finalizer.asText().equals(TRACKING)) {
        return true;
      }
    }
    return false;
  }

  private static OptionalInt index(String text) {
    return text.matches("\\d{1,9}") ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
  }
}
