package dev.sluice.scheduler.engine;

import java.time.Duration;

/**
 * How long received changes wait for more before they are applied, so that a stream of changes
 * causes few cycles: after some work, the next starts after a multiple of its duration, so that a
 * stream uses only a part of a processor. A single change is applied at once, and none waits longer
 * than a bound. Times are those of one steady clock, in nanoseconds.
 */
final class ChangeDelay {
  private final int times;
  private final long most;
  private long next;

  /**
   * Before the first work.
   *
   * @param times the wait as a multiple of the last work's duration
   * @param most the longest wait
   */
  ChangeDelay(int times, Duration most, long now) {
    this.times = times;
    this.most = most.toNanos();
    this.next = now;
  }

  /** How long the received changes still wait; 0 for not at all. */
  long left(long now) {
    return Math.clamp(next - now, 0, most);
  }

  /** All received changes were applied and their cycles have run. */
  void worked(long began, long ended) {
    next = ended + Math.clamp(ended - began, 0, most / times) * times;
  }
}
