package dev.sluice.quota.assign;

import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.Mode;
import dev.sluice.quota.preempt.Victim;
import java.util.List;

/** The flavors found for a head, and the workloads to preempt for them. */
public record Nominated(Assignment assignment, List<Victim> victims) {
  public Nominated {
    victims = List.copyOf(victims);
  }

  /** Whether it can be served, now or by preemption. */
  public boolean works() {
    return assignment.mode() == Mode.FIT
        || (assignment.mode() == Mode.PREEMPT && !victims.isEmpty());
  }
}
