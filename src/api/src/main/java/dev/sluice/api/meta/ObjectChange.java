package dev.sluice.api.meta;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * A change of one object as a view observed it; it may combine several changes.
 *
 * @param before the state known before; empty if there was none
 * @param after the current state; empty if it was deleted
 */
public record ObjectChange(Optional<JsonNode> before, Optional<JsonNode> after) {
  /** The object as it was seen last. */
  public JsonNode latest() {
    return after.or(() -> before).orElseThrow();
  }
}
