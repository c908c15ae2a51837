package dev.sluice.server.whatif;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectKey;
import java.util.Collection;
import java.util.Optional;

/** The objects of a cluster as they are stored. Safe for many threads. */
public interface StoredObjects {
  /** The object of that name; the namespace is empty for kinds without one. */
  Optional<JsonNode> find(GroupKind kind, ObjectKey key);

  /** All objects of the kind. */
  Collection<JsonNode> all(GroupKind kind);
}
