package dev.sluice.quota.assign;

import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.topology.capacity.TopologyUsage;
import dev.sluice.quota.world.QueueRules;
import org.jspecify.annotations.Nullable;

/** Pods may run on any node of their flavor. */
final class UnconstrainedPlacement implements Placement {
  @Override
  public @Nullable String refusal(
      Head head, ResourceFlavor flavor, int podSet, QueueRules.Group group) {
    return null;
  }

  @Override
  public Assignment place(Head head, Assignment assignment, TopologyUsage room) {
    return assignment;
  }

  @Override
  public boolean concerns(Head head, Assignment assignment) {
    return false;
  }

  @Override
  public boolean placeable(Head head, Assignment assignment, TopologyUsage room) {
    return true;
  }

  @Override
  public Assignment reserving(
      Head head, Assignment assignment, TopologyUsage room, boolean evenEmpty) {
    return assignment;
  }

  @Override
  public boolean fits(Head head, Assignment assignment, TopologyUsage room) {
    return true;
  }

  @Override
  public void take(Head head, Assignment assignment, TopologyUsage room) {
    // nothing to keep track of
  }
}
