package dev.sluice.api.core;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Copies;
import java.util.List;
import java.util.Map;

/** What a node has, and how it is. */
public record NodeStatus(Map<String, Quantity> allocatable, List<NodeCondition> conditions) {
  public NodeStatus {
    allocatable = Copies.of(allocatable);
    conditions = List.copyOf(conditions);
  }
}
