package dev.sluice.cli.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;

/** Conditions as operators write them. */
public final class Conditions {
  private Conditions() {}

  /** Adds one whose reason is its type. */
  static void add(ArrayNode conditions, String type, boolean isTrue, String message) {
    conditions
        .addObject()
        .put("type", type)
        .put("status", isTrue ? "True" : "False")
        .put("reason", type)
        .put("message", message)
        .put("lastTransitionTime", "2026-01-01T00:00:00Z");
  }

  /**
   * Reason and message of a condition that is True, such as {@code Succeeded: over}; else empty.
   */
  public static String text(JsonNode object, String type) {
    for (JsonNode it : object.path("status").path("conditions")) {
      if (it.path("type").asText().equals(type) && it.path("status").asText().equals("True")) {
        return it.path("reason").asText() + ": " + it.path("message").asText();
      }
    }
    return "";
  }
}
