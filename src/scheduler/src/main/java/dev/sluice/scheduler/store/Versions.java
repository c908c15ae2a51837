package dev.sluice.scheduler.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ResourceVersion;

/** Compares versions of one object, which count up. */
final class Versions {
  private Versions() {}

  /** Whether the first is a later state of the same object than the second. */
  static boolean isLater(JsonNode first, JsonNode second) {
    return uid(first).equals(uid(second)) && number(first) > number(second);
  }

  /** The uid of an object; empty where it has none. */
  static String uid(JsonNode object) {
    return object.path("metadata").path("uid").asText();
  }

  /** The version of an object. */
  static String text(JsonNode object) {
    return object.path("metadata").path("resourceVersion").asText();
  }

  /** The version of an object as a number that counts up; 0 where it has none. */
  static long number(JsonNode object) {
    return ResourceVersion.number(text(object)).orElse(0);
  }
}
