package dev.sluice.jobs.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import java.util.List;
import java.util.Optional;

/** A cluster in which nothing is seen, to be extended by what is. Stateless. */
public class EmptyJobWorld implements JobWorld {
  @Override
  public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
    return Optional.empty();
  }

  @Override
  public boolean watches(GroupKind kind) {
    return false;
  }

  @Override
  public boolean knows(GroupKind kind) {
    return false;
  }

  @Override
  public List<JsonNode> list(GroupKind kind) {
    return List.of();
  }

  @Override
  public List<JsonNode> workloadsOwnedBy(GroupKind kind, String namespace, String name) {
    return List.of();
  }

  @Override
  public List<JsonNode> controlledBy(GroupKind kind, String namespace, String ownerUid) {
    return List.of();
  }

  @Override
  public List<JsonNode> podsOfGroup(String namespace, String group) {
    return List.of();
  }
}
