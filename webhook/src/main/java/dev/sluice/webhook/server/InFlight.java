package dev.sluice.webhook.server;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what the server has taken on, and says no beyond the bounds. Thread-safe. */
final class InFlight {
  /** Bytes of a request that is small. */
  static final int SMALL = 256 << 10;

  /** The part of all bytes that only small requests may take. */
  private static final int RESERVED = 8;

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

  /**
   * Never counts what it refuses, not for a moment: another might be refused for its sake. A
   * request that is small with these bytes finds room when large ones find none.
   *
   * @param before the bytes that the request holds already
   */
  boolean tryHold(long before, long more) {
    long most = before + more <= SMALL ? bounds.maxBytesInFlight() : mostForOne();
    long held = bytes.get();
    while (more <= most - held) {
      long found = bytes.compareAndExchange(held, held + more);
      if (found == held) {
        return true;
      }
      held = found;
    }
    return false;
  }

  /** The bytes that one request can hold if it is alone. */
  long mostForOne() {
    long most = bounds.maxBytesInFlight();
    return Math.max(bounds.maxBodyBytes(), most - most / RESERVED);
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
