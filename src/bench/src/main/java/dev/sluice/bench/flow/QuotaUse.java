package dev.sluice.bench.flow;

import java.time.Duration;

/** How much quota was reserved, and for how long. Thread-safe. */
final class QuotaUse {
  private final long nominal;
  private long began;
  private long since;
  private long held;
  private double sum;

  QuotaUse(long nominal) {
    this.nominal = nominal;
  }

  synchronized void begin(long now) {
    began = now;
    since = now;
  }

  synchronized void change(int cpu, long now) {
    sum += (double) held * Math.max(0, now - since);
    since = now;
    held += cpu;
  }

  synchronized double share(long until) {
    return (sum + (double) held * Math.max(0, until - since))
        / nominal
        / Duration.ofNanos(until - began).toNanos();
  }
}
