package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.KEY_MISMATCH;
import static dev.sluice.certs.CertificateProblem.Reason.UNREADABLE;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The authorities of a folder, newest first: those that may sign, and those that no longer sign but
 * are published until they expire, so that clients that trust one keep working. All of it is one
 * text, so that a file replaced in one step can never hold half a change.
 *
 * <p>Rotation is overlap: a successor is published long before it signs. For its last-but-one
 * serving lifetime the old authority keeps signing while clients load the new one; in its last one
 * the successor signs, and the old key is thrown away. An authority from the future is left alone:
 * a clock that is behind for a moment must not cost us a good key.
 */
record Authorities(List<CertificateAuthority> signing, List<X509Certificate> retired) {
  static final Authorities NONE = new Authorities(List.of(), List.of());

  Authorities {
    signing = List.copyOf(signing);
    retired = List.copyOf(retired);
  }

  /** Of certificates, each followed by its key if it still signs. */
  static Authorities of(Pem pem) {
    var signing = new ArrayList<CertificateAuthority>();
    var retired = new ArrayList<X509Certificate>();
    for (X509Certificate certificate : pem.certificates()) {
      requireAuthority(certificate);
      keyOf(certificate, pem.keys())
          .ifPresentOrElse(
              key -> signing.add(new CertificateAuthority(certificate, key)),
              () -> retired.add(certificate));
    }
    if (signing.size() != pem.keys().size()) {
      throw new CertificateProblem(
          KEY_MISMATCH, "a private key belongs to none of the certificates");
    }
    if (signing.isEmpty()) {
      throw new CertificateProblem(UNREADABLE, "no authority with its private key in it");
    }
    return new Authorities(signing, retired);
  }

  private static void requireAuthority(X509Certificate certificate) {
    if (!CertificateAuthority.isAuthority(certificate)) {
      throw new CertificateProblem(
          UNREADABLE, certificate.getSubjectX500Principal() + " in it is no authority");
    }
  }

  private static Optional<PrivateKey> keyOf(X509Certificate certificate, List<PrivateKey> keys) {
    return keys.stream()
        .filter(key -> KeyPairs.belongTogether(certificate.getPublicKey(), key))
        .findFirst();
  }

  /**
   * The authorities as they should be now: without expired ones, with old ones retired, and with a
   * successor if one is due.
   */
  Authorities at(Instant now, Lifetimes lifetimes, Supplier<CertificateAuthority> successor) {
    var alive = new ArrayList<CertificateAuthority>();
    if (signing.stream().noneMatch(a -> a.validity().outlasts(now, lifetimes.successorAt()))) {
      alive.add(successor.get());
    }
    var past = new ArrayList<X509Certificate>();
    for (CertificateAuthority authority : signing) {
      if (authority.validity().outlasts(now, lifetimes.serving())) {
        alive.add(authority);
      } else {
        past.add(authority.certificate());
      }
    }
    past.addAll(retired);
    past.removeIf(certificate -> Validity.of(certificate).isOver(now));
    return new Authorities(alive, past);
  }

  /** The one to sign with: the oldest that still may, because clients have known it longest. */
  CertificateAuthority signer() {
    return signing.getLast();
  }

  /** When {@link #at} next has something to do. */
  Instant nextChange(Lifetimes lifetimes) {
    var newest = signing.getFirst().validity().until().minus(lifetimes.successorAt());
    var oldest = signer().validity().until().minus(lifetimes.serving());
    return newest.isBefore(oldest) ? newest : oldest;
  }

  /** The stage of each authority, for people. */
  List<CertificateStatus.Authority> stages() {
    var stages = new ArrayList<CertificateStatus.Authority>();
    for (CertificateAuthority authority : signing) {
      stages.add(
          stage(
              authority.certificate(),
              authority.equals(signer()) ? AuthorityStage.SIGNING : AuthorityStage.INTRODUCED));
    }
    retired.forEach(certificate -> stages.add(stage(certificate, AuthorityStage.RETIRED)));
    return stages;
  }

  private static CertificateStatus.Authority stage(
      X509Certificate certificate, AuthorityStage stage) {
    Validity validity = Validity.of(certificate);
    String serial = certificate.getSerialNumber().toString(16);
    return new CertificateStatus.Authority(stage, validity.from(), validity.until(), serial);
  }

  boolean issued(X509Certificate leaf) {
    return certificates().anyMatch(authority -> isSignedBy(leaf, authority));
  }

  static boolean isSignedBy(X509Certificate leaf, X509Certificate authority) {
    try {
      leaf.verify(authority.getPublicKey());
      return leaf.getIssuerX500Principal().equals(authority.getSubjectX500Principal());
    } catch (GeneralSecurityException _) {
      return false;
    }
  }

  /** The certificates that clients have to trust. */
  String bundlePem() {
    return Pem.ofCertificates(certificates().toList());
  }

  String toPem() {
    return signing.stream().map(CertificateAuthority::toPem).collect(Collectors.joining())
        + Pem.ofCertificates(retired);
  }

  private Stream<X509Certificate> certificates() {
    return Stream.concat(signing.stream().map(CertificateAuthority::certificate), retired.stream());
  }
}
