package dev.sluice.scheduler.lead;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether this replica still leads: until a deadline after the last renewal, by the clock and not
 * by a callback. One thread renews; any thread may read.
 */
final class Term {
  private final long deadline;
  private final LongSupplier nanoTime;
  private volatile boolean begun;
  private volatile long renewedAt;

  Term(Duration deadline, LongSupplier nanoTime) {
    this.deadline = deadline.toNanos();
    this.nanoTime = nanoTime;
  }

  /** Whether we lead at this moment. */
  boolean goesOn() {
    return begun && nanoTime.getAsLong() - renewedAt < deadline;
  }

  /**
   * The Lease was acquired or renewed by a request of that time.
   *
   * @return whether this replica leads from now on and did not just before: other replicas were
   *     responsible for earlier changes, if there were any
   */
  boolean renewed(long askedAt) {
    boolean before = goesOn();
    renewedAt = askedAt;
    begun = true;
    return !before && goesOn();
  }

  /** Whether it began and has ended. */
  boolean isOver() {
    return begun && !goesOn();
  }

  /** Ends it; whether it had begun. */
  boolean end() {
    boolean had = begun;
    begun = false;
    return had;
  }
}
