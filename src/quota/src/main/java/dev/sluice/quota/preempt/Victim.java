package dev.sluice.quota.preempt;

import dev.sluice.quota.decision.Target;
import dev.sluice.quota.trial.Held;

/** A workload that is evicted for another, and by which rule. */
public record Victim(Held held, Target.Why why) {
  /** As it is shown in a decision. */
  public Target target() {
    return new Target(
        held.workload().key(), held.workload().reservedIn(), why, held.workload().evicted());
  }
}
