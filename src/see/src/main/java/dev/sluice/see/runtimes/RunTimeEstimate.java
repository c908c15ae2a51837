package dev.sluice.see.runtimes;

import dev.sluice.see.history.RunTimeHints;

/**
 * How long a Workload runs.
 *
 * @param group that the estimate comes from
 * @param curve of that group; for {@link RunGroup.Level#USER} of whichever group there is
 */
public record RunTimeEstimate(RunGroup group, Survival curve, RunTimeHints hints) {
  /**
   * The run time in seconds that this part of such Workloads does not exceed.
   *
   * @param elapsed for how many seconds it has run
   * @param part at least 0, less than 1
   */
  public double quantile(double elapsed, double part) {
    double seconds = uncapped(elapsed, part);
    double cap = hints.maximumSeconds();
    return cap > 0 ? Math.max(elapsed, Math.min(seconds, cap)) : seconds;
  }

  private double uncapped(double elapsed, double part) {
    if (group.level() != RunGroup.Level.USER) {
      return curve.quantile(elapsed, part);
    }
    double said = hints.expectedSeconds() > 0 ? hints.expectedSeconds() : hints.maximumSeconds();
    return elapsed < said ? said : curve.quantile(elapsed, part);
  }
}
