package dev.sluice.scheduler.metrics;

import java.time.Duration;

/** The bounds of histograms. */
final class Buckets {
  /** From a second to three hours. */
  static final Duration[] WAIT = doubling(14);

  /** From a second to eleven hours. */
  static final Duration[] LONG = doubling(16);

  /** From five milliseconds to ten seconds. */
  static final Duration[] SHORT = millis(5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000);

  private Buckets() {}

  private static Duration[] doubling(int bounds) {
    Duration[] result = new Duration[bounds];
    result[0] = Duration.ofSeconds(1);
    result[1] = Duration.ofMillis(2_500);
    for (int i = 2; i < bounds; i++) {
      result[i] = result[i - 1].multipliedBy(2);
    }
    return result;
  }

  private static Duration[] millis(long... bounds) {
    Duration[] result = new Duration[bounds.length];
    for (int i = 0; i < bounds.length; i++) {
      result[i] = Duration.ofMillis(bounds[i]);
    }
    return result;
  }
}
