package dev.sluice.lifecycle.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import java.util.List;
import java.util.Optional;

/** Finds objects by their names and owners. Answers come from memory and may lag; nothing waits. */
public interface ObjectLookup {
  /** The object of that name; the namespace is empty where the kind has none. */
  Optional<JsonNode> find(GroupKind kind, String namespace, String name);

  /** The objects of the kind whose controlling owner has that uid. */
  List<JsonNode> controlledBy(GroupKind kind, String uid);
}
