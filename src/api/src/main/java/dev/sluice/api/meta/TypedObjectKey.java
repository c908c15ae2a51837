package dev.sluice.api.meta;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;

/**
 * The name of an object among those of all kinds.
 *
 * @param namespace empty for kinds without namespaces
 */
public record TypedObjectKey(GroupKind kind, String namespace, String name) {
  public TypedObjectKey {
    requireNonNull(kind, "kind");
    requireNonNull(namespace, "namespace");
    requireNonNull(name, "name");
  }

  /** The key of the object with that JSON, which is of that kind. */
  public static TypedObjectKey of(GroupKind kind, JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new TypedObjectKey(
        kind, metadata.path("namespace").asText(), metadata.path("name").asText());
  }

  /** The name of the object among those of its kind. */
  public ObjectKey inKind() {
    return new ObjectKey(namespace, name);
  }
}
