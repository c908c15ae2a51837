package dev.sluice.quota.preempt;

import dev.sluice.quota.trial.TreeTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Removes victims that are not needed from a set of victims that suffices. */
final class FillBack {
  private FillBack() {}

  /**
   * Of the removed victims, the last of which made the request fit, keeps those that are necessary.
   * All of them are in the trial again afterwards.
   */
  static List<Victim> minimal(TreeTrial trial, List<Victim> removed, BooleanSupplier fits) {
    List<Victim> kept = new ArrayList<>(removed);
    for (int i = removed.size() - 2; i >= 0; i--) {
      trial.add(removed.get(i).held());
      if (fits.getAsBoolean()) {
        kept.remove(i);
      } else {
        trial.remove(removed.get(i).held());
      }
    }
    restore(trial, kept);
    return kept;
  }

  static void restore(TreeTrial trial, List<Victim> removed) {
    removed.forEach(victim -> trial.add(victim.held()));
  }
}
