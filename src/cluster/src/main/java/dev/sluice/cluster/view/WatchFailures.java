package dev.sluice.cluster.view;

import dev.sluice.api.ExponentialBackoff;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Counts the failures of a watch, and says how long to wait after one more. */
final class WatchFailures {
  private final ExponentialBackoff waits;
  private final RandomGenerator random;
  private int failures;

  WatchFailures(Duration least, Duration most, RandomGenerator random) {
    this.waits = new ExponentialBackoff(least, most);
    this.random = random;
  }

  /** The next wait: between half and the whole of what is due. */
  Duration next() {
    failures++;
    return waits.jittered(failures, random);
  }

  /** Whether there was no failure since it started over. */
  boolean isFirst() {
    return failures == 0;
  }

  /** Whether the wait has reached its maximum. */
  boolean isLong() {
    return waits.after(failures + 1).equals(waits.most());
  }

  /** Starts over. */
  void reset() {
    failures = 0;
  }
}
