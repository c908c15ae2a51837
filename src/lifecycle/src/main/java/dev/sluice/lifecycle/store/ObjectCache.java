package dev.sluice.lifecycle.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectKey;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The objects of all kinds that are watched, as far as they are known by now. */
public interface ObjectCache extends ObjectLookup {
  /** All objects of the kind. */
  Collection<JsonNode> all(GroupKind kind);

  /** Whether that kind is watched, served or not. */
  boolean watches(GroupKind kind);

  /** Whether all objects of that kind are known. */
  boolean knows(GroupKind kind);

  /** The version up to which all that happened to objects of the kind is known; 0 for unknown. */
  long reached(GroupKind kind);

  /** Whether the object of that name is still at that version, as far as is known. */
  default boolean isAt(@Nullable String version, GroupKind kind, ObjectKey key) {
    return find(kind, key.namespace(), key.name())
        .filter(it -> it.path("metadata").path("resourceVersion").asText().equals(version))
        .isPresent();
  }
}
