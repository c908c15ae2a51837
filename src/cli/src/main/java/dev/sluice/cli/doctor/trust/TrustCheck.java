package dev.sluice.cli.doctor.trust;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import dev.sluice.cli.doctor.trust.Handshake.Result;
import java.net.URI;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;

/**
 * Whether the API server can reach and trust a server of ours by what a {@code clientConfig} says.
 * The same address with the same bundle is looked at once.
 */
public final class TrustCheck {
  private static final Duration SOON = Duration.ofDays(14);

  private final InstantSource clock;
  private final Duration bound;
  private final Optional<HostAndPort> forwarded;
  private final Set<String> seen = new HashSet<>();

  /** Where a port of a Service is forwarded to. */
  public record HostAndPort(String host, int port) {
    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  /** The server to call, and how to trust it. */
  public record Reachable(URI url, SSLContext trust) {}

  /**
   * A check.
   *
   * @param forwarded where servers behind a Service can be reached from here, if anywhere
   */
  public TrustCheck(InstantSource clock, Duration bound, Optional<HostAndPort> forwarded) {
    this.clock = clock;
    this.bound = bound;
    this.forwarded = forwarded;
  }

  /**
   * Looks at a configuration.
   *
   * @param object what it belongs to
   * @return the server, if its address can be reached from here and is trusted
   */
  public Optional<Reachable> check(String object, JsonNode clientConfig, Findings findings) {
    Optional<String> address = address(object, clientConfig, findings);
    String encoded = clientConfig.path("caBundle").asText("");
    if (address.isEmpty()) {
      return Optional.empty();
    }
    boolean first = seen.add(address.get().replaceFirst("(//[^/]*|:[0-9]+)/.*", "$1") + encoded);
    Findings where = first ? findings : new Findings();
    Optional<List<X509Certificate>> bundle = bundle(object, encoded, where, findings);
    if (bundle.isEmpty()) {
      return Optional.empty();
    }
    if (clientConfig.path("url").isMissingNode()) {
      greetByNames(object, clientConfig.path("service"), bundle.get(), where);
      return Optional.empty();
    }
    return greet(object, URI.create(address.get()), bundle.get(), where);
  }

  private static Optional<String> address(String object, JsonNode config, Findings findings) {
    String url = config.path("url").asText("");
    JsonNode service = config.path("service");
    if (!url.isEmpty()) {
      URI uri = URI.create(url); // the API server takes no other
      if ("https".equals(uri.getScheme()) && uri.getHost() != null) {
        return Optional.of(url);
      }
    } else if (!service.path("name").asText("").isEmpty()) {
      return Optional.of(
          "service %s/%s:%d%s"
              .formatted(
                  service.path("namespace").asText(),
                  service.path("name").asText(),
                  service.path("port").asInt(443),
                  service.path("path").asText("/")));
    }
    findings.error(object, "names no server: " + config.toString(), Remedies.INSTALL);
    return Optional.empty();
  }

  private Optional<List<X509Certificate>> bundle(
      String object, String encoded, Findings findings, Findings always) {
    if (encoded.isEmpty()) {
      always.error(object, "caBundle is empty, so the server is not trusted", Remedies.CA_BUNDLE);
      return Optional.empty();
    }
    try {
      List<X509Certificate> certificates =
          Handshake.certificates(Base64.getDecoder().decode(encoded));
      if (certificates.isEmpty()) {
        always.error(object, "caBundle has no certificate", Remedies.CA_BUNDLE);
        return Optional.empty();
      }
      expiry(object, certificates, findings);
      return Optional.of(certificates);
    } catch (IllegalArgumentException | CertificateException _) {
      always.error(object, "caBundle is no PEM with certificates", Remedies.CA_BUNDLE);
      return Optional.empty();
    }
  }

  private void expiry(String object, List<X509Certificate> certificates, Findings findings) {
    Instant now = clock.instant();
    Instant last =
        certificates.stream()
            .map(certificate -> certificate.getNotAfter().toInstant())
            .max(Instant::compareTo)
            .orElse(now);
    if (!last.isAfter(now)) {
      findings.error(object, "caBundle expired at " + last, Remedies.CA_BUNDLE);
    } else if (last.isBefore(now.plus(SOON))) {
      findings.warning(object, "caBundle expires at " + last, Remedies.CA_BUNDLE);
    } else {
      findings.ok(
          object, "caBundle has %d certificates, until %s".formatted(certificates.size(), last));
    }
  }

  private Optional<Reachable> greet(
      String object, URI url, List<X509Certificate> authorities, Findings findings) {
    Handshake handshake = Handshake.trusting(authorities);
    String server = url.getScheme() + "://" + url.getAuthority();
    return switch (handshake.with(url, bound)) {
      case Result.Trusted(X509Certificate certificate) -> {
        certificate(server, certificate, findings);
        yield Optional.of(new Reachable(url, handshake.context()));
      }
      case Result.Refused(String why) -> {
        findings.error(
            object, server + " is not trusted by its caBundle: " + why, Remedies.CA_BUNDLE);
        yield Optional.empty();
      }
      case Result.OutOfDate(String why) -> {
        findings.error(server, "its certificate is not valid now: " + why, Remedies.CERTIFICATE);
        yield Optional.empty();
      }
      case Result.Unreachable(String why) -> {
        findings.warning(object, "cannot be reached from here: " + why, Remedies.START);
        yield Optional.empty();
      }
    };
  }

  /** By each name under which a Service is called; the API server uses the first. */
  private void greetByNames(
      String object, JsonNode service, List<X509Certificate> authorities, Findings findings) {
    if (forwarded.isEmpty()) {
      return; // the API server alone can reach it; it is asked elsewhere
    }
    HostAndPort address = forwarded.get();
    String own = service.path("name").asText() + "." + service.path("namespace").asText() + ".svc";
    for (String name : List.of(own, own + ".cluster.local")) {
      switch (Handshake.trusting(authorities).with(address.host(), address.port(), name, bound)) {
        case Result.Trusted(X509Certificate certificate) ->
            certificate(name, certificate, findings);
        case Result.Refused(String why) ->
            findings.error(
                object,
                "%s, called %s, is not trusted by its caBundle: %s".formatted(address, name, why),
                Remedies.CA_BUNDLE);
        case Result.OutOfDate(String why) ->
            findings.error(name, "its certificate is not valid now: " + why, Remedies.CERTIFICATE);
        case Result.Unreachable(String why) ->
            findings.warning(
                object,
                "cannot be reached at --address: " + why,
                "kubectl -n %s port-forward service/%s %d:%d"
                    .formatted(
                        service.path("namespace").asText(),
                        service.path("name").asText(),
                        address.port(),
                        service.path("port").asInt(443)));
      }
    }
  }

  private void certificate(String server, X509Certificate certificate, Findings findings) {
    Instant end = certificate.getNotAfter().toInstant();
    if (end.isBefore(clock.instant().plus(SOON))) {
      findings.warning(server, "its certificate expires at " + end, Remedies.CERTIFICATE);
    } else {
      findings.ok(server, "handshake with the caBundle succeeds, certificate until " + end);
    }
  }
}
