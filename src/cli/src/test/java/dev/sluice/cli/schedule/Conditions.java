package dev.sluice.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;

/** What the conditions of an object say. */
final class Conditions {
  private Conditions() {}

  /** Whether there is such a condition and it is true. */
  static boolean isTrue(JsonNode object, String type) {
    for (JsonNode condition : object.at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }
}
