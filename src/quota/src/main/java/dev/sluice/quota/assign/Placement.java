package dev.sluice.quota.assign;

import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.topology.capacity.TopologyUsage;
import dev.sluice.quota.world.QueueRules;
import org.jspecify.annotations.Nullable;

/**
 * Placement of pods within a flavor. The search for flavors asks whether a flavor suits and whether
 * an assignment can be placed; the cycle records what is taken. Safe for several threads, each with
 * a room of its own.
 */
public interface Placement {
  /** Every flavor suits, everything has a place: flavors without topology. */
  Placement ANYWHERE = new UnconstrainedPlacement();

  /**
   * Why the flavor does not suit the PodSet of that index, or null where it does.
   *
   * @param group the resources that the flavor is for
   */
  @Nullable String refusal(Head head, ResourceFlavor flavor, int podSet, QueueRules.Group group);

  /**
   * The assignment after its pods were placed in the room, which is as before afterwards: with
   * places, or with a worse mode where the pods find no place now, or never.
   */
  Assignment place(Head head, Assignment assignment, TopologyUsage room);

  /** Whether there are pods to be placed at all. */
  boolean concerns(Head head, Assignment assignment);

  /** Whether all pods would find places in the room. */
  boolean placeable(Head head, Assignment assignment, TopologyUsage room);

  /**
   * The assignment with the places that its pods could have in the room, to be kept free for them;
   * as it is where they find none.
   *
   * @param evenEmpty whether to look in an empty cluster instead
   */
  Assignment reserving(Head head, Assignment assignment, TopologyUsage room, boolean evenEmpty);

  /** Whether the pods of the assignment still have their places in the room. */
  boolean fits(Head head, Assignment assignment, TopologyUsage room);

  /** Takes the places of the assignment. */
  void take(Head head, Assignment assignment, TopologyUsage room);
}
