package dev.sluice.cluster.access;

import java.security.cert.X509Certificate;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says when a client certificate is used outside its time: the server decides, its clock counts.
 */
final class Validities {
  private static final Logger LOG = LoggerFactory.getLogger(Validities.class);

  private Validities() {}

  static void warnOutside(String where, X509Certificate certificate, Instant now) {
    Instant from = certificate.getNotBefore().toInstant();
    Instant until = certificate.getNotAfter().toInstant();
    if (now.isAfter(until)) {
      LOG.warn(
          "{}: the client certificate expired at {}, the API server may refuse it", where, until);
    } else if (now.isBefore(from)) {
      LOG.warn(
          "{}: the client certificate is valid only from {}, the API server may refuse it",
          where,
          from);
    }
  }
}
