package dev.sluice.cluster.view;

import dev.sluice.api.GroupKind;
import java.time.Duration;
import java.util.Optional;

/**
 * The state of the watch of one kind.
 *
 * @param objects how many there are
 * @param age the time since the last answer of the API server for this kind; empty before the first
 * @param problem the current problem, as one sentence; empty if there is none
 */
public record KindStatus(
    GroupKind kind, State state, int objects, Optional<Duration> age, Optional<String> problem) {
  /** How well a kind is known. */
  public enum State {
    /** Not all objects are listed yet. */
    FILLING,
    /** All objects are known, and what happens to them. */
    CURRENT,
    /** All objects were known once, but the watch is interrupted. */
    STALE,
    /** The API server does not serve this kind; checked again later. */
    NOT_SERVED
  }

  /** Whether the kind is complete: all objects are known, or it is not served. */
  public boolean isComplete() {
    return state != State.FILLING;
  }
}
