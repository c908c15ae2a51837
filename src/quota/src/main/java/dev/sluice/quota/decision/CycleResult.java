package dev.sluice.quota.decision;

import java.util.List;

/**
 * What one cycle did.
 *
 * @param outcomes one for each head, in the order in which they were decided
 * @param changed whether another cycle could do something that this one did not
 */
public record CycleResult(List<Outcome> outcomes, boolean changed) {
  public CycleResult {
    outcomes = List.copyOf(outcomes);
  }
}
