package dev.sluice.cli.validate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.server.objects.ManifestObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is stored, by kind and name, at whatever version it came. Never changes. */
final class StoredObjects {
  private final Map<TypedObjectKey, ManifestObject> objects = new HashMap<>();
  private final String namespace;

  /**
   * These objects; of several with one name the last counts.
   *
   * @param namespace where objects are that name none
   */
  StoredObjects(List<ManifestObject> objects, String namespace) {
    this.namespace = namespace;
    objects.forEach(
        object -> this.objects.put(name(object.kind().groupKind(), object.tree()), object));
  }

  /** The stored object with kind and name of this one, as a tree of the caller's own. */
  Optional<JsonNode> find(GroupKind kind, JsonNode object) {
    return objects.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(objects.get(name(kind, object))).map(ManifestObject::tree);
  }

  private TypedObjectKey name(GroupKind kind, JsonNode object) {
    JsonNode metadata = object.path("metadata");
    String own = metadata.path("namespace").asText();
    return new TypedObjectKey(
        kind, own.isEmpty() ? namespace : own, metadata.path("name").asText());
  }
}
