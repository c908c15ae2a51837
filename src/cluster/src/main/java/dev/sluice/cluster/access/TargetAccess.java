package dev.sluice.cluster.access;

import dev.sluice.certs.CertificateProblem;
import dev.sluice.certs.ClientCertificate;
import dev.sluice.cluster.access.Renewed.Reading;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Access to a {@link Target}. An instance is proof that the target can be used. Its login can be
 * replaced while connections are open: requests and handshakes from then on use the new one, and
 * nothing is interrupted. Reads no file, no environment and runs no program. Thread-safe.
 */
public final class TargetAccess {
  private final Target target;
  private final ClusterAccess access;
  private volatile Credential current;

  private TargetAccess(Target target, Credential credential, InstantSource clock) {
    this.target = target;
    this.current = credential;
    this.access =
        new ClusterAccess(
            target.server(),
            Renewed.read(
                "the login of " + target.server(),
                () -> new Reading<>(current, Instant.MIN),
                clock),
            List.of(),
            Renewed.fixed(trust(target.authorities())),
            !target.authorities().isEmpty(),
            serverName(target.serverName()),
            proxy(target.proxy()));
  }

  /**
   * Access to that target; calls no server.
   *
   * @throws AccessException if something of the target cannot be used
   */
  public static TargetAccess to(Target target) {
    return new TargetAccess(target, credential(target.login()), InstantSource.system());
  }

  /** The access, which follows the login. */
  public ClusterAccess access() {
    return access;
  }

  /**
   * Logs in as that target says from now on. A connection that showed a client certificate keeps it
   * until it is opened again.
   *
   * @return false, and nothing changes, if the target is another server
   * @throws AccessException if the login cannot be used; nothing changes
   */
  public boolean replaceLogin(Target next) {
    if (!target.isSameServer(next)) {
      return false;
    }
    current = credential(next.login());
    return true;
  }

  private static X509ExtendedTrustManager trust(String authorities) {
    return authorities.isEmpty()
        ? Authorities.ofTheSystem()
        : Authorities.trusting(
            pem("certificate-authority-data", () -> ClientCertificate.certificates(authorities)));
  }

  private static Optional<String> serverName(String name) {
    try {
      return Optional.of(name)
          .filter(it -> !it.isEmpty())
          .map(it -> new SNIHostName(it).getAsciiName());
    } catch (IllegalArgumentException _) {
      throw new AccessException(
          "tls-server-name: is no host name (expected: one such as api.example.org)");
    }
  }

  private static Optional<Proxy> proxy(String url) {
    return url.isEmpty()
        ? Optional.empty()
        : Optional.of(Proxy.of(url, () -> new AccessException("proxy-url: " + Proxy.EXPECTED)));
  }

  private static Credential credential(Target.Login login) {
    Optional<String> authorization =
        Optional.of(login.token())
            .filter(it -> !it.isEmpty())
            .map(it -> Tokens.checked(it, what -> new AccessException("token: " + what)))
            .map(Credential::bearer);
    return new Credential(authorization, certificate(login));
  }

  private static Optional<ClientCertificate> certificate(Target.Login login) {
    if (login.certificate().isEmpty() != login.key().isEmpty()) {
      throw new AccessException(
          login.key().isEmpty()
              ? "client-key-data: is missing beside client-certificate-data (expected: both)"
              : "client-certificate-data: is missing beside client-key-data (expected: both)");
    }
    if (login.key().isEmpty()) {
      return Optional.empty();
    }
    var chain =
        pem("client-certificate-data", () -> ClientCertificate.certificates(login.certificate()));
    var key = pem("client-key-data", () -> ClientCertificate.key(login.key()));
    try {
      return Optional.of(new ClientCertificate(chain, key));
    } catch (CertificateProblem _) {
      throw new AccessException(
          "client-key-data: does not belong to client-certificate-data (expected: its key)");
    }
  }

  private static <T> T pem(String field, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (CertificateProblem e) {
      throw new AccessException(field + ": " + e.getMessage());
    }
  }

  /** Names no secret. */
  @Override
  public String toString() {
    return "TargetAccess[" + target.server() + "]";
  }
}
