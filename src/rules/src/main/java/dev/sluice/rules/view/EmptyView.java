package dev.sluice.rules.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import java.util.List;
import java.util.Optional;

/** A view without any kinds. */
final class EmptyView implements ClusterView {
  @Override
  public boolean knows(GroupKind kind) {
    return false;
  }

  @Override
  public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
    return Optional.empty();
  }

  @Override
  public List<JsonNode> list(GroupKind kind, String namespace) {
    return List.of();
  }

  @Override
  public List<JsonNode> controlledBy(GroupKind kind, String ownerUid) {
    return List.of();
  }
}
