package dev.sluice.bench.forecast;

/**
 * What one trial showed. Errors are the medians of the distances between what was said and the
 * start, in seconds.
 *
 * @param starts that had been forecast as a window, after the first 200 ends
 * @param within how many of them were within the band
 * @param withheld forecasts that said no time
 * @param error of the middle of the band
 * @param byPosition of the position in the line times the mean interval between starts
 * @param byLimits of a plan in which each job runs for three times what it really runs
 * @param waited the median wait from the forecast to the start
 * @param width the median width of the bands
 */
public record TrialResult(
    LoadFamily family,
    long seed,
    int starts,
    int within,
    int withheld,
    double error,
    double byPosition,
    double byLimits,
    double waited,
    double width) {
  /** The part of the starts within their bands. */
  public double coverage() {
    return starts == 0 ? Double.NaN : (double) within / starts;
  }
}
