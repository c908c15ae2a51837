package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.EXPIRED;
import static dev.sluice.certs.CertificateProblem.Reason.NOT_YET_VALID;
import static dev.sluice.certs.CertificateProblem.Reason.UNREADABLE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * A certificate that is renewed externally: a folder with {@code tls.crt} and {@code tls.key}, and
 * {@code ca.crt} if there is one, as a TLS Secret is mounted into a container. Reads only. A
 * successor is taken when key and certificate belong together, it is valid now, and it leads to
 * {@code ca.crt}; until then the one before stays.
 */
public final class MountedCertificate implements CertificateSource {
  private static final String CERTIFICATE = "tls.crt";
  private static final String KEY = "tls.key";
  private static final String AUTHORITY = "ca.crt";

  /** The link that kubelet turns to a whole new folder when a Secret changes. */
  private static final String GENERATION = "..data";

  private final Path dir;
  private final InstantSource clock;
  private volatile Held held;

  private record Held(ServingCertificate serving, String bundle) {}

  private MountedCertificate(Path dir, InstantSource clock) {
    this.dir = dir;
    this.clock = clock;
    this.held = read();
  }

  /**
   * Reads the folder.
   *
   * @throws CertificateProblem when what is there cannot be served
   */
  public static MountedCertificate load(Path dir, InstantSource clock) {
    return new MountedCertificate(dir.toAbsolutePath(), clock);
  }

  @Override
  public ServingCertificate current() {
    return held.serving();
  }

  @Override
  public String caBundlePem() {
    return held.bundle();
  }

  @Override
  public synchronized Refresh refresh() {
    try {
      var before = held;
      held = read();
      return held.equals(before) ? new Refresh.Unchanged() : new Refresh.Changed();
    } catch (CertificateProblem problem) {
      return new Refresh.Refused(problem);
    }
  }

  private Held read() {
    Path generation = generation();
    var serving = serving(generation);
    var authorities = Pem.load(generation.resolve(AUTHORITY), Pem::certificates).orElse(List.of());
    requireValidNow(serving);
    if (authorities.isEmpty()) {
      return new Held(serving, Pem.ofCertificates(rootOf(serving)));
    }
    CertificatePath.requireFrom(serving, authorities, clock.instant(), dir.resolve(AUTHORITY));
    return new Held(serving, Pem.ofCertificates(authorities));
  }

  /** The folder behind the link, so that all files are of one generation. */
  private Path generation() {
    Path link = dir.resolve(GENERATION);
    try {
      return Files.exists(link) ? link.toRealPath() : dir;
    } catch (IOException swappedJustNow) {
      throw new CertificateProblem(UNREADABLE, link + ": cannot be followed", swappedJustNow);
    }
  }

  private static ServingCertificate serving(Path generation) {
    var chain = load(generation.resolve(CERTIFICATE)).certificates();
    var keys = load(generation.resolve(KEY)).keys();
    try {
      return ServingCertificate.of(new Pem(chain, keys));
    } catch (CertificateProblem unnamed) {
      String files = generation.resolve(CERTIFICATE) + " and " + KEY;
      throw new CertificateProblem(unnamed.reason(), files + ": " + unnamed.getMessage(), unnamed);
    }
  }

  private static Pem load(Path file) {
    return Pem.load(file, pem -> pem)
        .orElseThrow(() -> new CertificateProblem(UNREADABLE, file + ": there is no such file"));
  }

  private void requireValidNow(ServingCertificate serving) {
    Instant now = clock.instant();
    if (serving.validity().isOver(now)) {
      throw outsideValidity(EXPIRED, "ended at " + serving.validity().until(), now);
    }
    if (!serving.validity().hasBegun(now)) {
      throw outsideValidity(NOT_YET_VALID, "begins only at " + serving.validity().from(), now);
    }
  }

  private CertificateProblem outsideValidity(
      CertificateProblem.Reason reason, String what, Instant now) {
    return new CertificateProblem(
        reason, dir.resolve(CERTIFICATE) + ": the certificate " + what + ", it is now " + now);
  }

  /** The last of the chain if it vouches for itself, which is what clients would have to trust. */
  private static List<X509Certificate> rootOf(ServingCertificate serving) {
    var last = serving.chain().getLast();
    boolean selfSigned = last.getSubjectX500Principal().equals(last.getIssuerX500Principal());
    return selfSigned ? List.of(last) : List.of();
  }
}
