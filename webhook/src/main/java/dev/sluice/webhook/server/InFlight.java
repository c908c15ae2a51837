package dev.sluice.webhook.server;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts requests and bytes in flight, and refuses more beyond the bounds. Thread-safe. */
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
   * Never counts a refused request, not even temporarily: another one might be refused because of
   * it. A small request still gets room when large ones do not.
   *
   * @param before the bytes that the request already holds
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

  /** The bytes that a single request can hold. */
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
