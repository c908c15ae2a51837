package dev.sluice.quota.assign;

import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.workload.PodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.preempt.Victim;
import dev.sluice.quota.world.QueueRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pods may run on any node of their flavor. */
final class Anywhere implements Placement {
  @Override
  public @Nullable String refusal(QueueRules rules, ResourceFlavor flavor, PodSet podSet) {
    return null;
  }

  @Override
  public Assignment place(Head head, Assignment assignment) {
    return assignment;
  }

  @Override
  public boolean fits(Head head, Assignment assignment, List<Victim> gone) {
    return true;
  }

  @Override
  public void take(Head head, Assignment assignment) {
    // nothing to keep track of
  }
}
