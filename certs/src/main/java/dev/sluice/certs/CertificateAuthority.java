package dev.sluice.certs;

import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;

/**
 * A certificate authority of our own, on curve P-256: it signs serving certificates and nothing
 * that could sign further. Immutable; an instance is proof that the key belongs to the certificate.
 * Constructing one of two halves that do not belong together throws {@link CertificateProblem} with
 * {@code KEY_MISMATCH}.
 */
public record CertificateAuthority(X509Certificate certificate, PrivateKey key) {
  private static final String NAME = "sluice-ca";
  private static final String SERVING_NAME = "sluice-serving";

  public CertificateAuthority {
    if (!isAuthority(certificate)) {
      throw new IllegalArgumentException(
          "certificate: " + certificate.getSubjectX500Principal() + " (expected: an authority's)");
    }
    KeyPairs.requirePair(certificate, key);
  }

  /** A new authority, valid from a few minutes ago, because clocks differ. */
  public static CertificateAuthority create(
      Duration lifetime, InstantSource clock, SecureRandom random) {
    var keys = KeyPairs.generate(random);
    var validity = Validity.starting(clock.instant(), lifetime);
    return new CertificateAuthority(
        new Issuance(random).authority(NAME, keys, validity), keys.getPrivate());
  }

  /**
   * A certificate with a new key for a server that is reached under all of {@code names}. It ends
   * with this authority at the latest.
   *
   * @param names DNS names, also with a leading {@code *.}, and IP addresses; at least one
   */
  public ServingCertificate issue(
      Collection<String> names, Duration lifetime, InstantSource clock, SecureRandom random) {
    return issue(ServedNames.of(names), lifetime, clock, random);
  }

  ServingCertificate issue(
      ServedNames names, Duration lifetime, InstantSource clock, SecureRandom random) {
    var keys = KeyPairs.generate(random);
    var validity =
        Validity.starting(clock.instant(), lifetime).endingBy(Validity.of(certificate).until());
    var leaf = new Issuance(random).serving(this, SERVING_NAME, keys.getPublic(), names, validity);
    return new ServingCertificate(List.of(leaf), keys.getPrivate());
  }

  static boolean isAuthority(X509Certificate certificate) {
    return certificate.getBasicConstraints() >= 0; // the number of authorities it may have below
  }

  Validity validity() {
    return Validity.of(certificate);
  }

  String toPem() {
    return Pem.of(certificate) + Pem.of(key);
  }

  /** Which and until when; nothing of the key. */
  @Override
  public String toString() {
    return "CertificateAuthority[%s, serial %s, until %s]"
        .formatted(
            certificate.getSubjectX500Principal(),
            certificate.getSerialNumber().toString(16),
            validity().until());
  }
}
