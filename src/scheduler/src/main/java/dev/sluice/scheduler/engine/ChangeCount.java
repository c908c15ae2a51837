package dev.sluice.scheduler.engine;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the changes of an engine, so that a reader can wait for those that were submitted before
 * it asked. Safe for many threads.
 */
public final class ChangeCount {
  private final AtomicLong submitted = new AtomicLong();
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong published = new AtomicLong();

  void submit() {
    submitted.incrementAndGet();
  }

  void take() {
    taken.incrementAndGet();
  }

  /** All that were taken are in the snapshot. */
  void publish() {
    published.set(taken.get());
  }

  /** How many were submitted so far. */
  public long submitted() {
    return submitted.get();
  }

  /** How many of them the snapshot shows at least, in the order of submission. */
  public long published() {
    return published.get();
  }
}
