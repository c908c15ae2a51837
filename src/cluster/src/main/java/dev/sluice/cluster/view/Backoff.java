package dev.sluice.cluster.view;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after one failure more: twice as long each time, within bounds, and jittered.
 */
final class Backoff {
  private final Duration least;
  private final Duration most;
  private final RandomGenerator random;
  private Duration next;

  Backoff(Duration least, Duration most, RandomGenerator random) {
    this.least = least;
    this.most = most;
    this.random = random;
    this.next = least;
  }

  /** The next wait: between half and the whole of what is due. */
  Duration next() {
    Duration due = next;
    Duration doubled = next.multipliedBy(2);
    next = doubled.compareTo(most) < 0 ? doubled : most;
    return Duration.ofMillis((long) (due.toMillis() * random.nextDouble(0.5, 1)));
  }

  /** Whether there was no failure since it started over. */
  boolean isFirst() {
    return next.equals(least);
  }

  /** Whether the wait has reached its maximum. */
  boolean isLong() {
    return next.equals(most);
  }

  /** Starts over. */
  void reset() {
    next = least;
  }
}
