package dev.sluice.scheduler.queue;

import java.time.Duration;

/**
 * The time between a pass over the queues and the next one. A status costs the API server as much
 * as an admission, so while queues keep moving each write adds to the pause. Once nothing has moved
 * for a moment, the pause is over and the next pass writes the exact numbers. Thread-safe.
 */
final class PassPace {
  /** What each write of a pass adds to the pause after it: eight a second are left. */
  static final Duration FOR_EACH_WRITE = Duration.ofMillis(120);

  static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  /** Without a move for so long, queues are at rest. */
  static final Duration REST = Duration.ofMillis(500);

  private volatile long lastMove;

  /** A pace without any move since that time of a monotonic clock, in nanoseconds. */
  PassPace(long nanos) {
    lastMove = nanos;
  }

  /** A count may be another now. */
  void moved(long nanos) {
    lastMove = nanos;
  }

  /**
   * What is left of the pause, in nanoseconds; zero or less if it is over.
   *
   * @param since when the pass ended
   * @param writes how much it had to write
   */
  long left(long since, int writes, long nanos) {
    long pause = Math.min(LONGEST_PAUSE.toNanos(), writes * FOR_EACH_WRITE.toNanos());
    long move = lastMove;
    long latest = move - since > 0 ? move : since;
    return Math.min(since + pause - nanos, latest + REST.toNanos() - nanos);
  }
}
