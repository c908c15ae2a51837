package dev.sluice.lifecycle.store;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A tree and its parsed value, so that the same tree is not parsed again.
 *
 * @param <T> the type of the value
 */
public record ReadObject<T>(JsonNode object, T typed) {
  /** Whether it belongs to this tree: watched trees never change, so the value is still correct. */
  @SuppressWarnings("ReferenceEquality") // to compare whole trees would cost more than to read
  public boolean isOf(JsonNode other) {
    return object == other;
  }
}
