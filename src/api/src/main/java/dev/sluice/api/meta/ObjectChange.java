package dev.sluice.api.meta;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * What happened to one object as far as a view knows; it may have happened to it several times.
 *
 * @param before how it was known before; empty if it was not
 * @param after how it is now; empty if it is gone
 */
public record ObjectChange(Optional<JsonNode> before, Optional<JsonNode> after) {
  /** The object as it was seen last. */
  public JsonNode latest() {
    return after.or(() -> before).orElseThrow();
  }
}
