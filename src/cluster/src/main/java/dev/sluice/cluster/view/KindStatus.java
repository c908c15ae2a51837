package dev.sluice.cluster.view;

import dev.sluice.api.GroupKind;
import java.time.Duration;
import java.util.Optional;

/**
 * The state of the watch of one kind.
 *
 * @param objects how many there are
 * @param age the time since the last answer of the API server for this kind; empty before the
 * first
 * @param problem the current problem, as one sentence; empty if there is none
 */
public record KindStatus(
    GroupKind kind, State state, int objects, Optional<Duration> age, Optional<String> problem) {
  /** How well a kind is known. */
  public enum State {
    /** Not all objects came yet. */
    FILLING,
    /** All objects are known, and what happens to them. */
    CURRENT,
    /** All objects were known once, but the watch is interrupted. */
    STALE,
    /** The API server has no such kind; it is looked for again. */
    NOT_SERVED
  }

  /** Whether nothing about the kind is missing: it is known, or there is nothing to know. */
  public boolean isComplete() {
    return state != State.FILLING;
  }
}
