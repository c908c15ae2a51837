package dev.sluice.api.write;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;

/**
 * An object of the cluster.
 *
 * @param kind the kind at the version at which it is addressed
 * @param namespace its namespace; empty if the kind has none
 * @param name its name
 * @param uid its uid; empty while the object is yet to be created
 */
public record ObjectRef(GroupVersionKind kind, String namespace, String name, String uid) {
  /** That object, as it was read. */
  public static ObjectRef of(GroupVersionKind kind, JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new ObjectRef(
        kind,
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        metadata.path("uid").asText());
  }
}
