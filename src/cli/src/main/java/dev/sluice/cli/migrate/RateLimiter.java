package dev.sluice.cli.migrate;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Assigns start times to calls, a number per second, and none while the server asked to retry
 * later. Times are nanoseconds of one clock of the caller. Thread-safe.
 */
final class RateLimiter {
  private final long interval;

  @GuardedBy("this")
  private long nextFree;

  /**
   * A limiter.
   *
   * @param perSecond calls a second; 0 for no limit
   * @param now the time
   */
  RateLimiter(int perSecond, long now) {
    if (perSecond < 0) {
      throw new IllegalArgumentException("perSecond: " + perSecond + " (expected: >= 0)");
    }
    this.interval = perSecond == 0 ? 0 : 1_000_000_000L / perSecond;
    this.nextFree = now;
  }

  /** Takes the next free time. Returns how long to wait for it. */
  synchronized long reserve(long now) {
    long start = nextFree - now > 0 ? nextFree : now;
    nextFree = start + interval;
    return start - now;
  }

  /** No call starts before that time. */
  synchronized void holdUntil(long time) {
    nextFree = time - nextFree > 0 ? time : nextFree;
  }
}
