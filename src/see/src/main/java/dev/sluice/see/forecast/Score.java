package dev.sluice.see.forecast;

/**
 * How good forecasts of a ClusterQueue were.
 *
 * @param starts that had been forecast
 * @param within how many of them were within the band; eight of ten should be
 * @param medianErrorSeconds the middle one of the distances between start and middle of the band
 * @param pinball mean loss over the three parts of the band in seconds, which is least for a band
 *     that is honest and narrow
 */
public record Score(int starts, int within, double medianErrorSeconds, double pinball) {
  /** Nothing was forecast that started. */
  public static final Score NONE = new Score(0, 0, Double.NaN, Double.NaN);

  /** The part of the starts within their bands; NaN without any. */
  public double coverage() {
    return starts == 0 ? Double.NaN : (double) within / starts;
  }
}
