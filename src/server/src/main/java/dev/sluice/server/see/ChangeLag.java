package dev.sluice.server.see;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.LongSupplier;

/**
 * How far a state is behind the changes that have come. Keeps the times of two changes, however
 * many wait. Safe for many threads.
 */
final class ChangeLag {
  private static final double NANOS = 1e9;

  private final LongSupplier submitted;
  private final LongSupplier published;
  private final LongSupplier nanos;

  /** A change that was not in the state when it came; the oldest of them, until it is there. */
  @GuardedBy("this")
  private long marked;

  @GuardedBy("this")
  private long markedAt;

  @GuardedBy("this")
  private long lastAt;

  /**
   * A lag of these counts.
   *
   * @param submitted how many changes have come
   * @param published how many of them the state shows, in the order in which they came
   * @param nanos a clock that never goes back
   */
  ChangeLag(LongSupplier submitted, LongSupplier published, LongSupplier nanos) {
    this.submitted = submitted;
    this.published = published;
    this.nanos = nanos;
  }

  /** Notes that a change is about to be submitted. */
  synchronized void submitting() {
    lastAt = nanos.getAsLong();
    if (published.getAsLong() >= marked) {
      marked = submitted.getAsLong() + 1;
      markedAt = lastAt;
    }
  }

  /**
   * For how long the state has lacked a change, in seconds: 0 if it has all of them. Of those that
   * came soon after one another, the last one may stand for those before it.
   */
  synchronized double seconds() {
    long shown = published.getAsLong();
    if (shown >= submitted.getAsLong()) {
      return 0;
    }
    return (nanos.getAsLong() - (shown < marked ? markedAt : lastAt)) / NANOS;
  }
}
