package dev.sluice.rules.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import java.util.List;
import java.util.Optional;

/**
 * What rules may know of the cluster: objects as they were when the view last heard of them.
 * Answers come from memory; no method waits. Any thread may ask. The trees belong to the view, are
 * never changed, and may lack what no rule reads.
 *
 * <p>Objects of {@code kueue.x-k8s.io} are at the hub version, others at the version that Sluice
 * serves their kind at.
 */
public interface ClusterView {
  /** A view without any kinds. */
  ClusterView EMPTY = new EmptyView();

  /** Whether objects of this kind are looked at: otherwise that one is missing means nothing. */
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
