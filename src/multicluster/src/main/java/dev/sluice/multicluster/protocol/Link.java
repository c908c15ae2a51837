package dev.sluice.multicluster.protocol;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/** The connection of this manager with a worker. */
public sealed interface Link {
  /**
   * The worker is connected and watched.
   *
   * @param isComplete whether all that the worker has of ours is known since the connection began
   */
  record Connected(boolean isComplete) implements Link {}

  /** This process has not ended a first attempt: nothing is concluded. */
  record Connecting() implements Link {}

  /**
   * There is no connection.
   *
   * @param since when it was lost, also by an earlier process
   * @param nextAttempt when the next attempt begins; empty while one is under way
   */
  record Lost(Instant since, String error, Optional<Instant> nextAttempt) implements Link {
    public Lost {
      requireNonNull(since, "since");
      requireNonNull(error, "error");
      requireNonNull(nextAttempt, "nextAttempt");
    }
  }
}
