package dev.sluice.multicluster.protocol;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** Whether an object of one name is on a worker, as far as it is known. */
public sealed interface Presence {
  /** No list has it. Lists may lag. */
  static Presence unlisted() {
    return new Unlisted();
  }

  /** It is not there: the API server said so, and we created nothing there since. */
  static Presence absent() {
    return new Absent();
  }

  /** It is there, ours or not. */
  record Present(JsonNode tree) implements Presence {
    public Present {
      requireNonNull(tree, "tree");
    }
  }

  /** See {@link #absent}. */
  record Absent() implements Presence {}

  /** See {@link #unlisted}. */
  record Unlisted() implements Presence {}

  /** The object, if it is there. */
  default Optional<JsonNode> object() {
    return this instanceof Present(JsonNode tree) ? Optional.of(tree) : Optional.empty();
  }

  /** Whether it was asked for and is not there. */
  default boolean isAbsent() {
    return this instanceof Absent;
  }
}
