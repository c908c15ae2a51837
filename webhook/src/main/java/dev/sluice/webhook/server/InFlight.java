package dev.sluice.webhook.server;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what the server has taken on, and says no beyond the bounds. Thread-safe. */
final class InFlight {
  private final Bounds bounds;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();

  InFlight(Bounds bounds) {
    this.bounds = bounds;
  }

  boolean tryEnter() {
    if (requests.incrementAndGet() <= bounds.maxConcurrent()) {
      return true;
    }
    requests.decrementAndGet();
    return false;
  }

  void leave() {
    requests.decrementAndGet();
  }

  /** Never counts what it refuses, not for a moment: another might be refused for its sake. */
  boolean tryHold(long more) {
    long held = bytes.get();
    while (held + more <= bounds.maxBytesInFlight()) {
      long found = bytes.compareAndExchange(held, held + more);
      if (found == held) {
        return true;
      }
      held = found;
    }
    return false;
  }

  void release(long held) {
    bytes.addAndGet(-held);
  }

  int requests() {
    return requests.get();
  }

  long bytes() {
    return bytes.get();
  }
}
