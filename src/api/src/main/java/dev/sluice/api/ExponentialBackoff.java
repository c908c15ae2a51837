package dev.sluice.api;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after failures in a row: the least time after the first, and twice as long after
 * each further one.
 *
 * @param least the wait after the first failure
 * @param most no wait is longer, the first one included
 */
public record ExponentialBackoff(Duration least, Duration most) {
  public ExponentialBackoff {
    if (least.isNegative() || most.isNegative()) {
      throw new IllegalArgumentException(
          "least: %s, most: %s (expected: not negative)".formatted(least, most));
    }
  }

  /**
   * The wait after that many failures.
   *
   * @param failures how many there were in a row, at least one
   */
  public Duration after(int failures) {
    if (failures < 1) {
      throw new IllegalArgumentException("failures: " + failures + " (expected: >= 1)");
    }
    Duration wait = least;
    for (int i = 1; i < failures && wait.isPositive() && wait.compareTo(most) < 0; i++) {
      wait = wait.multipliedBy(2);
    }
    return wait.compareTo(most) < 0 ? wait : most;
  }

  /**
   * The same, between half and the whole of it, so that those who failed together do not come back
   * together.
   */
  public Duration jittered(int failures, RandomGenerator random) {
    return Duration.ofNanos((long) (after(failures).toNanos() * random.nextDouble(0.5, 1)));
  }
}
