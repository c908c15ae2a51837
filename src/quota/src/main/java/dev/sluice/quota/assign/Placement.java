package dev.sluice.quota.assign;

import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.workload.PodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.preempt.Victim;
import dev.sluice.quota.world.QueueRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where pods go within a flavor. The search for flavors asks it whether a flavor suits and whether
 * an assignment can be placed; the cycle tells it what is taken.
 */
public interface Placement {
  /** Every flavor suits, everything has a place: flavors without topology. */
  Placement ANYWHERE = new Anywhere();

  /** Why the flavor does not suit the PodSet in that queue, or null where it does. */
  @Nullable String refusal(QueueRules rules, ResourceFlavor flavor, PodSet podSet);

  /**
   * The assignment after its pods were placed: as it is, or with a worse mode where they find no
   * place now, or never.
   */
  Assignment place(Head head, Assignment assignment);

  /** Whether the pods of the assignment still have their places, with the victims gone. */
  boolean fits(Head head, Assignment assignment, List<Victim> gone);

  /** The places of the assignment are taken for the rest of the cycle. */
  void take(Head head, Assignment assignment);
}
