package dev.sluice.scheduler.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.vocabulary.Reasons;

/**
 * Why a Workload was evicted, in one word of its condition.
 *
 * @param plain the reason, such as {@code Deactivated}
 * @param cause the underlying cause, such as {@code AdmissionCheck}; empty if there is none
 */
record EvictionReason(String plain, String cause) {
  private static final String PREEMPTOR = "preemptor path: ";

  static EvictionReason of(String reason) {
    int at = reason.indexOf(Reasons.DUE_TO);
    return at < 0
        ? new EvictionReason(reason, "")
        : new EvictionReason(
            reason.substring(0, at), reason.substring(at + Reasons.DUE_TO.length()));
  }

  /** The reason of the condition or, if that has no cause, of the counters in the status. */
  static EvictionReason of(String reason, JsonNode before, JsonNode after) {
    EvictionReason said = of(reason);
    if (!said.cause().isEmpty()) {
      return said;
    }
    for (JsonNode count : counts(after)) {
      boolean isNew =
          count.path("reason").asText().equals(said.plain())
              && counts(before).valueStream().noneMatch(count::equals);
      if (isNew) {
        return new EvictionReason(said.plain(), count.path("underlyingCause").asText());
      }
    }
    return said;
  }

  private static JsonNode counts(JsonNode workload) {
    return workload.at("/status/schedulingStats/evictions");
  }

  /**
   * The ClusterQueue that preempts: the end of the path in the message of the condition Preempted.
   * Empty where there is no path.
   */
  static String preemptor(String message) {
    int from = message.indexOf(PREEMPTOR);
    if (from < 0) {
      return "";
    }
    int to = message.indexOf(';', from);
    String path = message.substring(from + PREEMPTOR.length(), to < 0 ? message.length() : to);
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
