package dev.sluice.api.meta;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What has been observed of an object, and since when. */
public record Condition(
    String type,
    ConditionStatus status,
    @Nullable Long observedGeneration,
    Instant lastTransitionTime,
    String reason,
    String message) {
  public Condition {
    type = type.intern(); // one of few for very many objects
    reason = reason.intern();
  }

  /** The same with another time of its last transition. */
  public Condition since(Instant time) {
    return new Condition(type, status, observedGeneration, time, reason, message);
  }
}
