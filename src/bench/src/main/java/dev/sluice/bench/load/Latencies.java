package dev.sluice.bench.load;

import java.time.Duration;
import java.util.Arrays;

/** Every latency of a cell, none left out, so that percentiles are exact. Not thread-safe. */
final class Latencies {
  private static final int MOST = 1 << 24;

  private long[] nanos = new long[1 << 14];
  private int count;

  void add(long latency) {
    if (count == MOST) {
      throw new IllegalStateException("more than " + MOST + " answers (expected: shorter cells)");
    }
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = latency;
  }

  int count() {
    return count;
  }

  Percentiles percentiles() {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return new Percentiles(at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1));
  }

  /** The smallest latency that at least this share of all do not exceed. */
  private static Duration at(long[] sorted, double share) {
    if (sorted.length == 0) {
      return Duration.ZERO;
    }
    int rank = (int) Math.ceil(share * sorted.length);
    return Duration.ofNanos(sorted[Math.clamp(rank, 1, sorted.length) - 1]);
  }
}
