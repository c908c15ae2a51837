package dev.sluice.server.world;

import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Cycles and controllers of one moment, in turn, until nothing changes.
 *
 * @param cycle runs one scheduling cycle
 * @param reconcile runs all controllers, and says whether anything changed
 */
record Settling(Supplier<CycleResult> cycle, BooleanSupplier reconcile) {
  /** More cycles than this in one moment are a loop, not progress. */
  private static final int MOST_CYCLES = 100_000;

  /** A search for flavors that found nothing in so many cycles repeats itself. */
  private static final int IDLE_CYCLES = 33;

  /**
   * Runs them.
   *
   * @param seen receives each cycle, before anything else happens
   * @param goOn asked before each cycle whether there is time for it
   * @return whether it became stable
   * @throws IllegalStateException if it never becomes stable
   */
  boolean run(Consumer<CycleResult> seen, BooleanSupplier goOn) {
    int idle = 0;
    for (int cycles = 0; cycles < MOST_CYCLES; cycles++) {
      if (!goOn.getAsBoolean()) {
        return false;
      }
      CycleResult result = cycle.get();
      seen.accept(result);
      boolean changed = reconcile.getAsBoolean();
      idle = changed || decided(result) ? 0 : idle + 1;
      if ((!result.changed() && !changed) || idle > IDLE_CYCLES) {
        return true;
      }
    }
    throw new IllegalStateException(
        MOST_CYCLES + " cycles without an end (expected: a stable state of the queues)");
  }

  private static boolean decided(CycleResult result) {
    return result.outcomes().stream()
        .anyMatch(
            it ->
                it.decision() instanceof Decision.Reserved
                    || !it.others().isEmpty()
                    || it.place() == Outcome.Place.INADMISSIBLE);
  }
}
