package dev.sluice.scheduler.write;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/** Limits events: a burst, then a number per second. Thread-safe. */
final class EventBudget {
  static final int BURST = 300;
  static final double PER_SECOND = 15;
  private static final double NANOS = 1e9;

  @GuardedBy("this")
  private double left = BURST;

  @GuardedBy("this")
  private long asked;

  EventBudget(long nanoTime) {
    this.asked = nanoTime;
  }

  synchronized boolean allows(long nanoTime) {
    left = Math.min(BURST, left + (nanoTime - asked) / NANOS * PER_SECOND);
    asked = nanoTime;
    if (left < 1) {
      return false;
    }
    left--;
    return true;
  }
}
