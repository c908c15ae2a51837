package dev.sluice.cluster.view;

import dev.sluice.api.GroupKind;
import java.time.Duration;
import java.util.Optional;

/**
 * How well one kind is known.
 *
 * @param objects how many there are
 * @param age how long ago the API server was last heard of for this kind; empty before the first
 *     time
 * @param problem what stands in the way, as one sentence; empty if nothing does
 */
public record KindStatus(
    GroupKind kind, State state, int objects, Optional<Duration> age, Optional<String> problem) {
  /** How well a kind is known. */
  public enum State {
    /** Not all objects came yet. */
    FILLING,
    /** All objects are known, and what happens to them. */
    CURRENT,
    /** All objects were known once, but we do not hear of them now. */
    STALE,
    /** The API server has no such kind; it is looked for again. */
    NOT_SERVED
  }

  /** Whether nothing about the kind is missing: it is known, or there is nothing to know. */
  public boolean isComplete() {
    return state != State.FILLING;
  }
}
