package dev.sluice.scheduler.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/** The outcome of a write. */
public sealed interface WriteResult {
  /** It is done. */
  record Done(JsonNode object) implements WriteResult {}

  /** The object has changed since it was read, or exists already: read it and plan again. */
  record Conflict(String message) implements WriteResult {}

  /** There is no such object, or no place for it. */
  record Missing(String message) implements WriteResult {}

  /** The API server will not have it, now or ever. */
  record Refused(int status, String message) implements WriteResult {}

  /**
   * No answer, or only that the server is overloaded; the write may still have been done.
   *
   * @param retryAfter how long the server asks to be left alone; empty if it does not say
   * @param isFault whether the server says that it failed, such as at a webhook of others
   */
  record Unanswered(String message, Optional<Duration> retryAfter, boolean isFault)
      implements WriteResult {
    /** The server did not say when to try again. */
    public Unanswered(String message) {
      this(message, Optional.empty(), false);
    }
  }

  /** We may not write at present. */
  record NotLeading() implements WriteResult {}

  /** Whether it is done. */
  default boolean isDone() {
    return this instanceof Done;
  }
}
