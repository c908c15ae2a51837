package dev.sluice.certs;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The span in which a certificate counts, in whole seconds, as certificates spell it. */
record Validity(Instant from, Instant until) {
  /** How far two clocks may be apart: one of them an hour ahead, the other an hour behind. */
  static final Duration CLOCK_SKEW = Duration.ofHours(2);

  /** A server that stands still for a moment must not serve what has ended. */
  private static final Duration LEAST_LEFT = Duration.ofMinutes(2);

  /** A validity that ends {@code lifetime} from now and began a little earlier. */
  static Validity starting(Instant now, Duration lifetime) {
    Instant second = now.truncatedTo(ChronoUnit.SECONDS);
    return new Validity(second.minus(CLOCK_SKEW), second.plus(lifetime));
  }

  static Validity of(X509Certificate certificate) {
    return new Validity(
        certificate.getNotBefore().toInstant(), certificate.getNotAfter().toInstant());
  }

  Validity endingBy(Instant latest) {
    return until.isAfter(latest) ? new Validity(from, latest) : this;
  }

  boolean hasBegun(Instant now) {
    return !now.isBefore(from);
  }

  boolean isOver(Instant now) {
    return now.isAfter(until);
  }

  /** Whether it is valid for longer than {@code span} from now. */
  boolean outlasts(Instant now, Duration span) {
    return now.plus(span).isBefore(until);
  }

  /**
   * When a successor is due: a third of the lifetime before the end, and {@link #LEAST_LEFT} before
   * it at the latest. The lifetime starts when the certificate was issued, not at its earlier
   * begin; otherwise one of an hour would be due at once.
   */
  Instant renewalDue() {
    Instant issued = from.plus(CLOCK_SKEW);
    Instant start = issued.isBefore(until) ? issued : from; // issued by others
    Instant lastThird = until.minus(Duration.between(start, until).dividedBy(3));
    Instant latest = until.minus(LEAST_LEFT);
    return lastThird.isBefore(latest) ? lastThird : latest;
  }
}
