package dev.sluice.webhook.server;

/**
 * What one request holds of the bytes that all requests may hold together. Belongs to the request's
 * event loop, and to the worker while that answers it; giving back twice gives back once.
 */
final class MemoryReservation {
  private final InFlight inFlight;
  private long bytes;

  MemoryReservation(InFlight inFlight) {
    this.inFlight = inFlight;
  }

  /** Holds this much in all from now on, if there is room for what is more than before. */
  boolean tryGrowTo(long size) {
    if (size > bytes && !inFlight.tryHold(bytes, size - bytes)) {
      return false;
    }
    bytes = Math.max(bytes, size);
    return true;
  }

  /** Holds exactly this much from now on, for data that is already in memory. */
  void become(long size) {
    inFlight.release(bytes - size);
    bytes = size;
  }

  long bytes() {
    return bytes;
  }

  void release() {
    become(0);
  }
}
