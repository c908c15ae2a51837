package dev.sluice.cli.world;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Which object is meant.
 *
 * @param namespace empty where the kind has none
 */
public record ObjectRef(String kind, String namespace, String name) {
  /** The object that this is. */
  static ObjectRef of(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new ObjectRef(
        object.path("kind").asText(),
        metadata.path("namespace").asText(),
        metadata.path("name").asText());
  }

  @Override
  public String toString() {
    return kind + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
  }
}
