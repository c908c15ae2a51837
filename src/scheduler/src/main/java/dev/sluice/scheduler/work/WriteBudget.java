package dev.sluice.scheduler.work;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The writes that one call of a handler may send. What is left of its plan is planned anew, so that
 * a call ends before the {@link WorkQueue} counts it as stuck, however late each answer is. One
 * thread.
 */
public final class WriteBudget {
  static final int MOST = 50;

  /** With the four attempts of one more write, it is less than the deadline of a call. */
  static final Duration LONGEST = Duration.ofMinutes(2);

  private final LongSupplier nanoTime;
  private final long began;
  private int taken;

  /** Begins now. */
  public WriteBudget() {
    this(System::nanoTime);
  }

  WriteBudget(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.began = nanoTime.getAsLong();
  }

  /** Whether another write may be sent; then it counts. */
  public boolean take() {
    if (taken == MOST || nanoTime.getAsLong() - began > LONGEST.toNanos()) {
      return false;
    }
    taken++;
    return true;
  }
}
