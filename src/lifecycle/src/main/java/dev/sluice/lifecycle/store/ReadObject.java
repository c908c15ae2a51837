package dev.sluice.lifecycle.store;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A tree and what it was read as, so that the same tree is not read again.
 *
 * @param <T> what it was read as
 */
public record ReadObject<T>(JsonNode object, T typed) {
  /** Whether it is of this tree: objects that are watched never change, so it says the same. */
  @SuppressWarnings("ReferenceEquality") // to compare whole trees would cost more than to read
  public boolean isOf(JsonNode other) {
    return object == other;
  }
}
