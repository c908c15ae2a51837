package dev.sluice.quota.decision;

import dev.sluice.api.meta.ObjectKey;
import java.util.List;

/**
 * The decision about one head, with every status that it changed.
 *
 * @param change of the head itself
 * @param others the changes of other Workloads that follow: the victims of a preemption, the
 *     variant that moves, or the slice that the head replaces. Each Workload that changes is in
 *     exactly one outcome, except a head that another head preempts
 * @param wakeUps the events that requeue the head; empty if it has quota
 */
public record Outcome(
    String clusterQueue,
    Decision decision,
    StatusChange change,
    List<StatusChange> others,
    Place place,
    List<WakeUp> wakeUps) {
  public Outcome {
    others = List.copyOf(others);
    wakeUps = List.copyOf(wakeUps);
  }

  /** The head. */
  public ObjectKey workload() {
    return change.workload();
  }

  /** Whether the head went on waiting as before, and no other Workload changed. */
  public boolean hasNoEffect() {
    return place == Place.PENDING && !change.isReal() && others.isEmpty();
  }

  /** Where the head is afterwards. */
  public enum Place {
    /** It has quota. */
    RESERVED,
    /** It is in its queue, for the next cycle. */
    PENDING,
    /** It is parked until a wake-up. */
    INADMISSIBLE
  }
}
