package dev.sluice.scheduler.write;

import com.fasterxml.jackson.databind.JsonNode;

/** What became of a write. */
public sealed interface WriteResult {
  /** It is done. */
  record Done(JsonNode object) implements WriteResult {}

  /** The object is not as the writer believed, or exists already: look again, then plan anew. */
  record Conflict(String message) implements WriteResult {}

  /** There is no such object, or no place for it. */
  record Missing(String message) implements WriteResult {}

  /** The API server will not have it, now or ever. */
  record Refused(int status, String message) implements WriteResult {}

  /** Nobody answered, or only that it is too much now; it may have been done all the same. */
  record Unanswered(String message) implements WriteResult {}

  /** We may not write at present. */
  record NotLeading() implements WriteResult {}

  /** Whether it is done. */
  default boolean isDone() {
    return this instanceof Done;
  }
}
