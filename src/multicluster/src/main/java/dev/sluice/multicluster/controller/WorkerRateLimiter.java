package dev.sluice.multicluster.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Limits the requests to a worker: a number per second, none before the time of {@code
 * Retry-After}, and one at a time while the worker fails. Thread-safe.
 */
final class WorkerRateLimiter {
  /** The time between two requests, if many wait. */
  private static final Duration INTERVAL = Duration.ofMillis(5);

  /** The number of requests that may be sent at once after a pause. */
  private static final int BURST = 32;

  /** The number of consecutive failures after which only one request is tried at each step. */
  private static final int FAILURES = 5;

  private static final Duration FIRST_STEP = Duration.ofSeconds(1);
  private static final Duration LAST_STEP = Duration.ofSeconds(30);

  private final LongSupplier nanoTime;

  @GuardedBy("this")
  private long nextSlot;

  @GuardedBy("this")
  private long closedUntil;

  @GuardedBy("this")
  private int failures;

  WorkerRateLimiter(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    long now = nanoTime.getAsLong();
    this.nextSlot = now;
    this.closedUntil = now;
  }

  /** The time until a request may be sent; zero for now, which reserves the one try of a step. */
  synchronized Duration closed() {
    long now = nanoTime.getAsLong();
    long left = closedUntil - now;
    if (left > 0) {
      return Duration.ofNanos(left);
    }
    if (failures >= FAILURES) {
      closedUntil = now + step().toNanos(); // the others wait for the result of this one
    }
    return Duration.ZERO;
  }

  /** Takes the next slot. Says how long to wait for it. */
  synchronized Duration slot() {
    long now = nanoTime.getAsLong();
    long earliest = now - INTERVAL.toNanos() * BURST;
    nextSlot = (nextSlot - earliest < 0 ? earliest : nextSlot) + INTERVAL.toNanos();
    return Duration.ofNanos(Math.max(0, nextSlot - now));
  }

  /** The worker answered. */
  synchronized void answered() {
    failures = 0;
    closedUntil = nanoTime.getAsLong();
  }

  /**
   * The worker did not answer, or cannot answer at the moment.
   *
   * @param retryAfter the wait that it asks for
   */
  synchronized void failed(Optional<Duration> retryAfter) {
    failures++;
    Duration pause = retryAfter.orElseGet(() -> failures >= FAILURES ? step() : Duration.ZERO);
    long until = nanoTime.getAsLong() + pause.toNanos();
    closedUntil = until - closedUntil > 0 ? until : closedUntil;
  }

  /** Whether the worker has failed so often that it is only probed. */
  synchronized boolean isBroken() {
    return failures >= FAILURES;
  }

  @GuardedBy("this")
  private Duration step() {
    Duration step = FIRST_STEP.multipliedBy(1L << Math.clamp(failures - FAILURES, 0, 5));
    return step.compareTo(LAST_STEP) < 0 ? step : LAST_STEP;
  }
}
