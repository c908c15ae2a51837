package dev.sluice.see.forecast;

import java.time.Duration;

/**
 * Times from the moment of a forecast on, in seconds; infinite for later than the horizon.
 *
 * @param early one of ten starts earlier
 * @param middle half of all start earlier
 * @param late one of ten starts later
 */
public record Band(double early, double middle, double late) {
  /** Whether a start after so many seconds is within it. */
  public boolean holds(double seconds) {
    return seconds >= early && seconds <= late;
  }

  /** Whether all of it is finite. */
  public boolean isFinite() {
    return Double.isFinite(late) && Double.isFinite(middle);
  }

  /** The band of these sorted times. */
  static Band of(double[] sorted) {
    return new Band(quantile(sorted, 0.1), quantile(sorted, 0.5), quantile(sorted, 0.9));
  }

  private static double quantile(double[] sorted, double part) {
    double place = part * (sorted.length - 1);
    int below = (int) Math.floor(place);
    int above = (int) Math.ceil(place);
    double low = sorted[below];
    double high = sorted[above];
    return below == above || low == high ? low : low + (high - low) * (place - below);
  }

  /** So many seconds as a duration of whole seconds. */
  public static Duration duration(double seconds) {
    return Duration.ofSeconds(Math.round(seconds));
  }
}
