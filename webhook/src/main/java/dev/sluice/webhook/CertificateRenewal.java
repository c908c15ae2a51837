package dev.sluice.webhook;

import dev.sluice.certs.CertificateSource;
import dev.sluice.certs.Refresh;
import dev.sluice.certs.ServingCertificate;
import dev.sluice.certs.SwitchingKeyManager;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.Part;
import dev.sluice.webhook.server.ClientAuthorities;
import dev.sluice.webhook.server.Workers;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the newest certificate of a source, and trusts the newest authorities of clients. A
 * certificate that is refused leaves the old one served. Thread-safe.
 */
final class CertificateRenewal implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateRenewal.class);

  private final CertificateSource certificates;
  private final SwitchingKeyManager keys;
  private final Optional<ClientAuthorities> clients;
  private final CertificateReport report;
  private final Workers workers;
  private final Part part;
  private final Heartbeat heartbeat;
  private final BooleanSupplier isServing;
  private final Supplier<Future<Void>> probe;

  /**
   * A renewal that checks only when it is called.
   *
   * @param interval how often {@link #checkSoon} is called
   * @param isServing whether the server is ready by itself; checks that come before do nothing
   * @param probe calls the served port
   */
  CertificateRenewal(
      CertificateSource certificates,
      SwitchingKeyManager keys,
      Optional<ClientAuthorities> clients,
      CertificateReport report,
      Workers workers,
      Part part,
      Duration interval,
      BooleanSupplier isServing,
      Supplier<Future<Void>> probe) {
    this.certificates = certificates;
    this.keys = keys;
    this.clients = clients;
    this.report = report;
    this.workers = workers;
    this.part = part;
    this.heartbeat = part.heartbeat(interval.multipliedBy(3).plusMinutes(1));
    this.isServing = isServing;
    this.probe = probe;
  }

  /** The first interval begins. */
  void begin() {
    heartbeat.beat();
  }

  /** Checks in a worker, if one is free. */
  void checkSoon() {
    Runnable check =
        part.guarded(
            () -> {
              heartbeat.beat(); // a check that fails leaves the old certificate served
              if (isServing.getAsBoolean()) {
                check();
              }
            });
    try {
      if (!workers.tryExecute(Workers.Lane.MEDIUM, check)) {
        LOG.debug("no worker is free to check for a new certificate; the next check retries");
      }
    } catch (RejectedExecutionException e) {
      LOG.debug("the server is stopping and does not check for a new certificate", e);
    }
  }

  /** Checks now. */
  void check() {
    clients.ifPresent(ClientAuthorities::refresh);
    synchronized (keys) { // or of two threads the one with the older certificate could come last
      switch (certificates.refresh()) {
        case Refresh.Unchanged _ -> report.accepted();
        case Refresh.Changed _ -> {
          report.accepted();
          if (!keys.current().equals(certificates.current())) { // else only authorities changed
            serve(certificates.current());
          }
        }
        case Refresh.Refused refused -> {
          report.refused(refused.problem().getMessage());
          LOG.warn(
              "a new certificate was refused, the old one is served on: {}",
              refused.problem().getMessage());
        }
      }
    }
  }

  private void serve(ServingCertificate certificate) {
    keys.switchTo(certificate);
    LOG.atInfo()
        .addKeyValue("notAfter", certificate.leaf().getNotAfter().toInstant())
        .log("serving a new certificate");
    probe.get().onFailure(e -> warnUnlessReplaced(certificate, e));
  }

  private void warnUnlessReplaced(ServingCertificate certificate, Throwable problem) {
    if (keys.current().equals(certificate)) { // else the probe met its successor, and so it should
      LOG.warn("the probe with the new certificate failed: {}", problem.getMessage());
    }
  }

  /** Its thread is no longer supervised. */
  @Override
  public void close() {
    heartbeat.close();
  }
}
