package dev.sluice.scheduler.engine;

import java.time.Duration;

/**
 * How long what came waits for more before it is taken in, so that a stream of changes makes few
 * cycles: after some work the next begins a few times as long later, so that a stream takes only a
 * part of a processor. A change that comes alone is taken in at once, and none waits longer than a
 * bound. Times are those of one steady clock, in nanoseconds.
 */
final class ChangeDelay {
  private final int times;
  private final long most;
  private long next;

  /**
   * Nothing was done yet.
   *
   * @param times how many times as long as the last work took is waited after it
   * @param most but never longer than that
   */
  ChangeDelay(int times, Duration most, long now) {
    this.times = times;
    this.most = most.toNanos();
    this.next = now;
  }

  /** How long what has come by now waits for more; 0 for not at all. */
  long left(long now) {
    return Math.clamp(next - now, 0, most);
  }

  /** All that came was taken in and worked off. */
  void worked(long began, long ended) {
    next = ended + Math.clamp(ended - began, 0, most / times) * times;
  }
}
