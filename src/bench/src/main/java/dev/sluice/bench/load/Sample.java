package dev.sluice.bench.load;

import java.time.Duration;

/**
 * What one cell found.
 *
 * @param sent requests sent, warming up included
 * @param answered answers received, good or not; the same as {@code sent} if nothing went wrong
 * @param failed answers that were no good ones
 * @param firstFailure what was wrong with the first of these; empty if none
 * @param requests good answers within the measured time
 * @param objects objects in these
 * @param bytes bytes of the requests they answer
 * @param time the measured time
 * @param latency from when a request was due to the end of its answer
 * @param sendLag p99 of how late the sender itself was; zero where nothing was due at a time
 * @param spread the rate's best fifth of the time minus its worst, as a share of the mean
 * @param usage processor time within the measured time
 */
public record Sample(
    long sent,
    long answered,
    long failed,
    String firstFailure,
    long requests,
    long objects,
    long bytes,
    Duration time,
    Percentiles latency,
    Duration sendLag,
    double spread,
    Usage usage) {
  /** Good requests a second. */
  public double requestsPerSecond() {
    return perSecond(requests);
  }

  /** Objects a second. */
  public double objectsPerSecond() {
    return perSecond(objects);
  }

  /** Megabytes (a million bytes) of requests a second. */
  public double megabytesPerSecond() {
    return perSecond(bytes) / 1e6;
  }

  /** Processor time of the measured process for one object, in microseconds. */
  public double microsPerObject() {
    return objects == 0 ? 0 : usage.server().toNanos() / 1e3 / objects;
  }

  /** Whether every request got a good answer. */
  public boolean complete() {
    return sent == answered && failed == 0 && requests > 0;
  }

  private double perSecond(long count) {
    return count * 1e9 / time.toNanos();
  }
}
