package dev.sluice.certs;

import java.time.Instant;
import java.util.Optional;

/** Since when a bundle is in all places where clients look. Thread-safe. */
final class PublishedBundle {
  private Seen last = new Seen("", Optional.empty());

  private record Seen(String bundle, Optional<Instant> since) {}

  /** Tells whether the bundle was just found everywhere. */
  synchronized void seen(String bundle, boolean everywhere, Instant now) {
    boolean still = everywhere && last.bundle().equals(bundle) && last.since().isPresent();
    if (!still) {
      last = new Seen(bundle, everywhere ? Optional.of(now) : Optional.empty());
    }
  }

  /** Since when this bundle is everywhere; empty while a place lacks it. */
  synchronized Optional<Instant> since(String bundle) {
    return last.bundle().equals(bundle) ? last.since() : Optional.empty();
  }
}
