package dev.sluice.quota.decision;

import dev.sluice.api.meta.ObjectKey;
import java.util.List;

/**
 * What became of one head.
 *
 * @param wakeUps the events after which it is looked at again; empty where it has quota
 */
public record Outcome(
    ObjectKey workload, String clusterQueue, Decision decision, Place place, List<WakeUp> wakeUps) {
  public Outcome {
    wakeUps = List.copyOf(wakeUps);
  }

  /** Where it is afterwards. */
  public enum Place {
    /** It has quota. */
    RESERVED,
    /** It is in its queue, for the next cycle. */
    PENDING,
    /** It is parked until a wake-up. */
    INADMISSIBLE
  }
}
