package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.EXPIRED;
import static dev.sluice.certs.CertificateProblem.Reason.NOT_YET_VALID;
import static dev.sluice.certs.CertificateProblem.Reason.UNREADABLE;

import dev.sluice.certs.CertificateStatus.NextStep;
import dev.sluice.certs.CertificateStatus.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A certificate that is renewed externally: a folder with {@code tls.crt} and {@code tls.key}, and
 * {@code ca.crt} if there is one, as a TLS Secret is mounted into a container. Reads only. A
 * successor is taken when key and certificate belong together, it is valid now, and it leads to
 * {@code ca.crt}; until then the one before stays. Where there is none before, one that begins
 * within two hours is served: then rather our clock is behind. Where bundles are published for
 * clients, a successor of another authority waits until clients had time to load that authority,
 * unless the one before is over.
 */
public final class MountedCertificate implements CertificateSource {
  private static final String CERTIFICATE = "tls.crt";
  private static final String KEY = "tls.key";
  private static final String AUTHORITY = "ca.crt";

  /** The link that kubelet turns to a whole new folder when a Secret changes. */
  private static final String GENERATION = "..data";

  private final Path dir;
  private final InstantSource clock;
  private final Optional<Duration> settling;
  private final PublishedBundle published = new PublishedBundle();
  private volatile Held held;

  /**
   * A certificate, and the authorities to publish.
   *
   * @param bundle with a successor that waits, also its authorities
   * @param awaited the authorities of the successor; empty if none waits
   */
  private record Held(ServingCertificate serving, String bundle, String awaited) {
    private boolean hasSuccessor() {
      return !awaited.isEmpty();
    }
  }

  private MountedCertificate(Path dir, InstantSource clock, Optional<Duration> settling) {
    this.dir = dir;
    this.clock = clock;
    this.settling = settling;
    this.held = read();
  }

  /**
   * Reads the folder; nobody publishes the authorities, so a successor is taken at once.
   *
   * @throws CertificateProblem when what is there cannot be served
   */
  public static MountedCertificate load(Path dir, InstantSource clock) {
    return new MountedCertificate(dir.toAbsolutePath(), clock, Optional.empty());
  }

  /**
   * Reads the folder, for a server whose authorities are published, and whose {@link #seen} is told
   * when they are.
   *
   * @param settling from when a bundle was seen everywhere until clients are taken to know it
   * @throws CertificateProblem when what is there cannot be served
   */
  public static MountedCertificate published(Path dir, InstantSource clock, Duration settling) {
    return new MountedCertificate(dir.toAbsolutePath(), clock, Optional.of(settling));
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
  public String awaitedPem() {
    Held now = held;
    return now.hasSuccessor() ? now.awaited() : now.bundle();
  }

  @Override
  public void seen(String bundle, boolean everywhere) {
    published.seen(bundle, everywhere, clock.instant());
  }

  @Override
  public CertificateStatus status() {
    Held now = held;
    Validity validity = now.serving().validity();
    return new CertificateStatus(
        "the folder " + dir,
        validity.isOver(clock.instant()) ? Phase.EXPIRED : phase(now),
        validity.until(),
        List.of(),
        next(now));
  }

  private Phase phase(Held now) {
    if (!now.hasSuccessor()) {
      return Phase.EXTERNAL;
    }
    return published.since(now.bundle()).isPresent() ? Phase.SETTLING : Phase.PUBLISHING;
  }

  private NextStep next(Held now) {
    if (now.hasSuccessor()) {
      return new NextStep(
          "the successor is served once clients know its authority",
          published.since(now.bundle()).map(it -> it.plus(settling.orElse(Duration.ZERO))));
    }
    return NextStep.at(
        now.serving().validity().until(), "whoever writes the folder renews it before it ends");
  }

  @Override
  public synchronized Refresh refresh() {
    try {
      var before = held;
      var read = read();
      requireBegun(before, read);
      held = inTurn(before, read);
      return held.equals(before) ? new Refresh.Unchanged() : new Refresh.Changed();
    } catch (CertificateProblem problem) {
      return new Refresh.Refused(problem);
    }
  }

  /** What is in the folder, or what was there before as long as clients would refuse it. */
  private Held inTurn(Held before, Held read) {
    List<X509Certificate> known = Pem.parse(before.bundle()).certificates();
    List<X509Certificate> wanted = Pem.parse(read.bundle()).certificates();
    Instant now = clock.instant();
    if (settling.isEmpty()
        || before.serving().equals(read.serving())
        || before.serving().validity().isOver(now)
        || (!before.hasSuccessor() && known.containsAll(wanted))) {
      return read;
    }
    List<X509Certificate> both = new ArrayList<>(wanted);
    known.stream().filter(it -> !both.contains(it)).forEach(both::add);
    String bundle = both.size() == known.size() ? before.bundle() : Pem.ofCertificates(both);
    return published
        .since(bundle)
        .filter(since -> !now.isBefore(since.plus(settling.get())))
        .map(_ -> read)
        .orElseGet(() -> new Held(before.serving(), bundle, read.bundle()));
  }

  private Held read() {
    Path generation = generation();
    var serving = serving(generation);
    var authorities = Pem.load(generation.resolve(AUTHORITY), Pem::certificates).orElse(List.of());
    Instant now = begun(serving);
    if (authorities.isEmpty()) {
      return new Held(serving, Pem.ofCertificates(rootOf(serving)), "");
    }
    CertificatePath.requireFrom(serving, authorities, now, dir.resolve(AUTHORITY));
    return new Held(serving, Pem.ofCertificates(authorities), "");
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

  /** The time, or the begin of a certificate that was made by a clock that is ahead of ours. */
  private Instant begun(ServingCertificate serving) {
    Instant now = clock.instant();
    if (serving.validity().isOver(now)) {
      throw outsideValidity(EXPIRED, "ended at " + serving.validity().until(), now);
    }
    if (serving.validity().hasBegun(now)) {
      return now;
    }
    if (!serving.validity().hasBegun(now.plus(Validity.CLOCK_SKEW))) {
      throw outsideValidity(NOT_YET_VALID, "begins only at " + serving.validity().from(), now);
    }
    return serving.validity().from();
  }

  /** What is good is not given up for what is good only if our clock is behind. */
  private void requireBegun(Held before, Held read) {
    Instant now = clock.instant();
    Validity successor = read.serving().validity();
    if (!read.serving().equals(before.serving())
        && !successor.hasBegun(now)
        && !before.serving().validity().isOver(now)) {
      throw outsideValidity(NOT_YET_VALID, "begins only at " + successor.from(), now);
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
