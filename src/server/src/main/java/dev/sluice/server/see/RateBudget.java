package dev.sluice.server.see;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** So many in a second, and no more at once. Thread-safe. */
final class RateBudget {
  private final int perSecond;
  private final LongSupplier nanos;

  @GuardedBy("this")
  private double left;

  @GuardedBy("this")
  private long last;

  /** A full budget; the clock counts nanoseconds. */
  RateBudget(int perSecond, LongSupplier nanos) {
    this.perSecond = perSecond;
    this.nanos = nanos;
    this.left = perSecond;
    this.last = nanos.getAsLong();
  }

  /** Whether there was one left, which is then taken. */
  synchronized boolean take() {
    long now = nanos.getAsLong();
    double refilled = (now - last) * (double) perSecond / TimeUnit.SECONDS.toNanos(1);
    left = Math.min(perSecond, left + refilled);
    last = now;
    if (left < 1) {
      return false;
    }
    left -= 1;
    return true;
  }
}
