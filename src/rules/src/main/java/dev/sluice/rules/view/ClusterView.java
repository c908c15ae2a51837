package dev.sluice.rules.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import java.util.List;
import java.util.Optional;

/**
 * The cluster as rules see it: objects in their last observed state. Answers come from memory; no
 * method blocks. Thread-safe. The trees belong to the view, are never changed, and may lack fields
 * that no rule reads.
 *
 * <p>Objects of {@code kueue.x-k8s.io} are at the hub version, others at the version that Sluice
 * serves their kind at.
 */
public interface ClusterView {
  /** A view without any kinds. */
  ClusterView EMPTY = new EmptyView();

  /** Whether objects of this kind are watched: otherwise a missing object means nothing. */
  boolean knows(GroupKind kind);

  /**
   * The object with that name.
   *
   * @param namespace empty for kinds that live in no namespace
   */
  Optional<JsonNode> find(GroupKind kind, String namespace, String name);

  /** All objects of the kind in the namespace, in the order of their names. */
  List<JsonNode> list(GroupKind kind, String namespace);

  /** The objects of the kind whose controlling owner has that uid, in the order of their names. */
  List<JsonNode> controlledBy(GroupKind kind, String ownerUid);
}
