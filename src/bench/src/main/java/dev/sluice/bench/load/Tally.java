package dev.sluice.bench.load;

import dev.sluice.bench.objects.Review;
import java.time.Duration;

/**
 * Counts the answers of one cell: those that arrive within the measured time or, at a fixed rate,
 * those to requests that were due within it, however late they arrive. The others are checked all
 * the same. Confined to one thread while it counts.
 */
final class Tally {
  private static final int SLICES = 5;

  private final long from;
  private final long to;
  private final boolean atRate;
  private final Latencies latencies = new Latencies();
  private final Latencies lags = new Latencies();
  private final long[] objectsInSlice = new long[SLICES];
  private long sent;
  private long answered;
  private long failed;
  private long objects;
  private long bytes;
  private String firstFailure = "";

  Tally(long began, Window window, boolean atRate) {
    this.atRate = atRate;
    this.from = began + window.warmUp().toNanos();
    this.to = from + window.measured().toNanos();
  }

  long from() {
    return from;
  }

  long to() {
    return to;
  }

  void sent(long due, long now) {
    sent++;
    if (isMeasured(due)) {
      lags.add(now - due);
    }
  }

  private boolean isMeasured(long time) {
    return time - from >= 0 && time - to < 0;
  }

  /**
   * Counts a good answer.
   *
   * @param due when its request was sent or, at a fixed rate, should have been
   */
  void good(Review review, long due, long now) {
    answered++;
    long counted = atRate ? due : now;
    if (!isMeasured(counted)) {
      return;
    }
    latencies.add(now - due);
    objects += review.objects();
    bytes += review.json().length;
    objectsInSlice[(int) ((counted - from) * SLICES / (to - from))] += review.objects();
  }

  void failed(String why) {
    answered++;
    failed++;
    if (firstFailure.isEmpty()) {
      firstFailure = why;
    }
  }

  Sample sample(Usage usage) {
    return new Sample(
        sent,
        answered,
        failed,
        firstFailure,
        latencies.count(),
        objects,
        bytes,
        Duration.ofNanos(to - from),
        latencies.percentiles(),
        lags.percentiles().p99(),
        spread(),
        usage);
  }

  /** The distance of the best fifth of the time from the worst, as a share of the mean. */
  private double spread() {
    long least = Long.MAX_VALUE;
    long most = 0;
    for (long slice : objectsInSlice) {
      least = Math.min(least, slice);
      most = Math.max(most, slice);
    }
    return objects == 0 ? 0 : (double) (most - least) * SLICES / objects;
  }
}
