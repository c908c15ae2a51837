package dev.sluice.cluster.access;

import dev.sluice.certs.ClientCertificate;
import dev.sluice.certs.PermissiveTrustManager;
import dev.sluice.cluster.access.Renewed.Reading;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.X509ExtendedTrustManager;

/** A cluster of a kubeconfig. */
final class ClusterSection {
  private static final String AUTHORITY = "certificate-authority";
  private static final String INSECURE = "insecure-skip-tls-verify";

  private final Section cluster;
  private final AccessEnvironment environment;

  ClusterSection(Section cluster, AccessEnvironment environment) {
    this.cluster = cluster;
    this.environment = environment;
  }

  /** The address, without a slash at its end. */
  URI server() {
    String text =
        cluster
            .nonEmpty("server")
            .orElseThrow(() -> cluster.problem("server", "is missing (expected: a URL)"));
    URI uri = uri(text);
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    if (!scheme.equals("https") && !scheme.equals("http")) {
      throw cluster.problem(
          "server", "has another scheme (expected: https://HOST:PORT or http://HOST:PORT)");
    }
    if (uri.getHost() == null
        || uri.getPort() > 65_535
        || uri.getRawUserInfo() != null
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null) {
      throw cluster.problem("server", "is no address (expected: a URL such as https://HOST:PORT)");
    }
    return URI.create(text.strip().replaceAll("/+$", ""));
  }

  private URI uri(String text) {
    try {
      return new URI(text.strip());
    } catch (URISyntaxException _) {
      throw cluster.problem("server", "is no URL (expected: one such as https://HOST:PORT)");
    }
  }

  /** The trusted authorities; read again when the file changes. */
  Renewed<X509ExtendedTrustManager> trust() {
    Optional<PemSource> authority = PemSource.of(cluster, AUTHORITY);
    if (cluster.flag(INSECURE)) {
      if (authority.isPresent()) {
        throw cluster.problem(
            INSECURE, "stands beside " + AUTHORITY + " (expected: only one of them)");
      }
      return Renewed.fixed(PermissiveTrustManager.ofServers());
    }
    return authority
        .map(it -> trust(it, environment))
        .orElseGet(() -> Renewed.fixed(Authorities.ofTheSystem()));
  }

  /** Whether it names authorities, which are trusted in place of those of the system. */
  boolean namesAuthority() {
    return !cluster.flag(INSECURE) && PemSource.of(cluster, AUTHORITY).isPresent();
  }

  /** Trust in the certificates of a text. */
  static Renewed<X509ExtendedTrustManager> trust(PemSource source, AccessEnvironment environment) {
    return Renewed.read(
        "the authority of " + source.where(),
        () ->
            new Reading<>(
                Authorities.trusting(source.read(ClientCertificate::certificates)),
                source.changes()
                    ? environment.clock().instant().plus(Renewed.FILE_AGE)
                    : Instant.MAX),
        environment.clock());
  }

  /** The name that the server's certificate must have, where it is not the one of the address. */
  Optional<String> serverName() {
    Optional<String> name = cluster.nonEmpty("tls-server-name");
    try {
      name.ifPresent(SNIHostName::new);
      return name;
    } catch (IllegalArgumentException _) {
      throw cluster.problem(
          "tls-server-name", "is no host name (expected: one such as api.example.org)");
    }
  }

  /** What is between us and the server. */
  Optional<Proxy> proxy(URI server) {
    return cluster
        .nonEmpty("proxy-url")
        .map(it -> Proxy.of(it, () -> cluster.problem("proxy-url", Proxy.EXPECTED)))
        .or(() -> Proxy.ofEnvironment(server, environment));
  }
}
