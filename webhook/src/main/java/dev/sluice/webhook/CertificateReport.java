package dev.sluice.webhook;

import static java.util.Objects.requireNonNullElse;

import dev.sluice.certs.AuthorityStage;
import dev.sluice.certs.CertificateSource;
import dev.sluice.certs.CertificateStatus;
import dev.sluice.certs.CertificateStatus.Authority;
import dev.sluice.certs.CertificateStatus.Phase;
import dev.sluice.supervision.Readiness;
import dev.sluice.webhook.server.Page;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * How far the certificates of a server have come, as metrics and as {@code /debug/certificates}.
 * The last refusal of a successor stays until one is accepted. The status is that of the last look
 * for a successor, so that neither a scrape nor an event loop works it out. Thread-safe.
 */
public final class CertificateReport implements MeterBinder {
  private final CertificateSource source;
  private final InstantSource clock;
  private volatile CertificateStatus status;
  private volatile @Nullable String refusal;

  /** A report that begins with the status of now. */
  public CertificateReport(CertificateSource source, InstantSource clock) {
    this.source = source;
    this.clock = clock;
    this.status = source.status();
  }

  /** Says why the last look for a successor ended without one. */
  public void refused(@Nullable String why) {
    refusal = requireNonNullElse(why, "no reason was given");
    status = source.status();
  }

  /** The last look went well. */
  public void accepted() {
    refusal = null;
    status = source.status();
  }

  /** The page, which answers 503 if clients refuse the certificate, or a successor was refused. */
  public Page page() {
    return Page.state("/debug/certificates", this::report);
  }

  private Readiness report() {
    CertificateStatus seen = status;
    String text = seen.text(clock.instant());
    String why = refusal;
    return why == null
        ? new Readiness(seen.isGood(), text)
        : new Readiness(false, text + "refused: " + why + "\n");
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge("sluice.certificate.expiry.timestamp.seconds", it -> it.servingUntil().getEpochSecond())
        .register(registry);
    gauge(
            "sluice.certificate.authority.expiry.timestamp.seconds",
            it -> seconds(it, this::signerEnd))
        .register(registry);
    gauge(
            "sluice.certificate.next.step.timestamp.seconds",
            it -> seconds(it, seen -> seen.next().due()))
        .register(registry);
    for (Phase phase : Phase.values()) {
      gauge("sluice.certificate.phase", it -> it.phase() == phase ? 1 : 0)
          .tag("phase", phase.toString())
          .register(registry);
    }
    for (AuthorityStage stage : AuthorityStage.values()) {
      gauge("sluice.certificate.authorities", it -> count(it, stage))
          .tag("stage", stage.toString())
          .register(registry);
    }
    Gauge.builder("sluice.certificate.refused", this, it -> it.refusal == null ? 0 : 1)
        .register(registry);
  }

  private Gauge.Builder<CertificateReport> gauge(
      String name, ToDoubleFunction<CertificateStatus> value) {
    return Gauge.builder(name, this, it -> value.applyAsDouble(it.status));
  }

  private static long count(CertificateStatus seen, AuthorityStage stage) {
    return seen.authorities().stream().filter(it -> it.stage() == stage).count();
  }

  private Optional<Instant> signerEnd(CertificateStatus seen) {
    return seen.signer().map(Authority::until);
  }

  /** Not a number where there is no such time. */
  private static double seconds(
      CertificateStatus seen, Function<CertificateStatus, Optional<Instant>> time) {
    return time.apply(seen).map(it -> (double) it.getEpochSecond()).orElse(Double.NaN);
  }
}
