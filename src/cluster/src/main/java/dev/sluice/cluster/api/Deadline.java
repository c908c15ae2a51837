package dev.sluice.cluster.api;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Aborts what takes longer than its bound. Safe for many threads. */
final class Deadline implements AutoCloseable {
  private static final ScheduledThreadPoolExecutor CLOCK = clock();

  private final long bound;
  private final Runnable abort;
  private volatile long at;
  private volatile boolean expired;

  @GuardedBy("this")
  private @Nullable Future<?> check;

  @GuardedBy("this")
  private boolean closed;

  private Deadline(Duration bound, Runnable abort) {
    this.bound = bound.toNanos();
    this.abort = abort;
    this.at = System.nanoTime() + this.bound;
  }

  private static ScheduledThreadPoolExecutor clock() {
    ScheduledThreadPoolExecutor clock =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("sluice-deadlines").factory());
    clock.setRemoveOnCancelPolicy(true);
    return clock;
  }

  /**
   * Starts a deadline; to be closed when what it bounds has ended.
   *
   * @param abort called once, by another thread, when the time is over
   */
  static Deadline in(Duration bound, Runnable abort) {
    Deadline deadline = new Deadline(bound, abort);
    deadline.checkIn(deadline.bound);
    return deadline;
  }

  private synchronized void checkIn(long nanos) {
    if (!closed) {
      check = CLOCK.schedule(this::check, nanos, TimeUnit.NANOSECONDS);
    }
  }

  private void check() {
    long left = at - System.nanoTime();
    if (left > 0) {
      checkIn(left);
    } else {
      expired = true;
      Thread.ofVirtual().name("sluice-abort").start(abort); // closes a socket
    }
  }

  /** Restarts the bound. */
  void extend() {
    at = System.nanoTime() + bound;
  }

  /** Whether the time was over before it was closed. */
  boolean isExpired() {
    return expired;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (check != null) {
      check.cancel(false);
    }
  }
}
