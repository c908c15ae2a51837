package dev.sluice.certs;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.CertificateParsingException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An authority and a serving certificate of our own, kept in a folder, used again at the next start
 * and replaced ahead of time.
 *
 * <p>{@code ca.pem} holds the authorities with their keys and is the one file that matters: it is
 * made when missing and never replaced when damaged. {@code serving.pem} and {@code ca.crt}, which
 * is what clients trust, follow from it and are mended silently. Each change replaces one file in
 * one step, in the order ca.pem, ca.crt, serving.pem, so that at any moment every certificate
 * served is one that the published bundle covers. Processes may share a folder: they take turns,
 * and the later ones use what the first one made. They should ask for the same names; otherwise
 * each of them replaces the other's certificate, which is safe but never ends.
 */
public final class CertificateFolder implements CertificateSource {
  private static final Logger log = LoggerFactory.getLogger(CertificateFolder.class);

  private static final String AUTHORITIES = "ca.pem";
  private static final String BUNDLE = "ca.crt";
  private static final String SERVING = "serving.pem";
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Path dir;
  private final ServedNames names;
  private final Lifetimes lifetimes;
  private final InstantSource clock;
  private final SecureRandom random;
  private final Duration patience;
  private volatile Held held;

  private record Held(
      ServingCertificate serving,
      String bundle,
      Instant nextChange,
      List<CertificateStatus.Authority> authorities) {}

  private CertificateFolder(
      Path dir,
      ServedNames names,
      Lifetimes lifetimes,
      InstantSource clock,
      SecureRandom random,
      Duration patience) {
    this.dir = dir;
    this.names = names;
    this.lifetimes = lifetimes;
    this.clock = clock;
    this.random = random;
    this.patience = patience;
    this.held = bringUpToDate();
  }

  /**
   * Makes the folder and what belongs in it, as far as it is not there, and private to its owner.
   * Waits a few seconds while another process does the same.
   *
   * @param dir the folder, which is made if it is not there
   * @param names what clients call the server: DNS names and IP addresses; at least one
   * @param lifetimes how long certificates last
   * @param clock tells the time at each look
   * @param random makes keys and serial numbers
   * @throws CertificateProblem when {@code ca.pem} is damaged, the folder cannot be written, or
   *     another process holds it
   * @throws IllegalArgumentException if there is no name, or one that is neither
   */
  public static CertificateFolder open(
      Path dir,
      Collection<String> names,
      Lifetimes lifetimes,
      InstantSource clock,
      SecureRandom random) {
    return open(dir, names, lifetimes, clock, random, PATIENCE);
  }

  static CertificateFolder open(
      Path dir,
      Collection<String> names,
      Lifetimes lifetimes,
      InstantSource clock,
      SecureRandom random,
      Duration patience) {
    return new CertificateFolder(
        dir.toAbsolutePath(), ServedNames.of(names), lifetimes, clock, random, patience);
  }

  @Override
  public ServingCertificate current() {
    return held.serving();
  }

  @Override
  public String caBundlePem() {
    return held.bundle();
  }

  /** The file that clients on this machine may be pointed at; it holds {@link #caBundlePem}. */
  public Path caBundleFile() {
    return dir.resolve(BUNDLE);
  }

  /** When {@link #refresh} next has something to do, unless the files change before. */
  public Instant nextRenewal() {
    return held.nextChange();
  }

  @Override
  public CertificateStatus status() {
    Held seen = held;
    return new CertificateStatus(
        "the folder " + dir,
        phase(seen),
        seen.serving().validity().until(),
        seen.authorities(),
        CertificateStatus.NextStep.at(seen.nextChange(), "a certificate or authority is replaced"));
  }

  private CertificateStatus.Phase phase(Held seen) {
    if (seen.serving().validity().isOver(clock.instant())) {
      return CertificateStatus.Phase.EXPIRED;
    }
    List<AuthorityStage> stages =
        seen.authorities().stream().map(CertificateStatus.Authority::stage).toList();
    if (stages.contains(AuthorityStage.INTRODUCED)) {
      return CertificateStatus.Phase.PUBLISHING;
    }
    return stages.contains(AuthorityStage.RETIRED)
        ? CertificateStatus.Phase.OVERLAPPING
        : CertificateStatus.Phase.STEADY;
  }

  /** {@inheritDoc} Replaces what is due, and takes over what another process has replaced. */
  @Override
  public synchronized Refresh refresh() {
    try {
      var before = held;
      held = bringUpToDate();
      return held.equals(before) ? new Refresh.Unchanged() : new Refresh.Changed();
    } catch (CertificateProblem problem) {
      return new Refresh.Refused(problem);
    }
  }

  private Held bringUpToDate() {
    var folder = SecretFolder.open(dir);
    try (var _ = folder.hold(patience)) {
      List.of(AUTHORITIES, BUNDLE, SERVING).forEach(folder::clean);
      Instant now = clock.instant();
      var authorities = authorities(folder, now);
      publish(folder, authorities.bundlePem());
      var serving = serving(folder, authorities, now);
      return new Held(
          serving, authorities.bundlePem(), nextChange(authorities, serving), authorities.stages());
    }
  }

  private Authorities authorities(SecretFolder folder, Instant now) {
    var stored = storedAuthorities(folder.file(AUTHORITIES));
    var wanted = stored.at(now, lifetimes, this::newAuthority);
    if (!wanted.equals(stored)) {
      folder.write(AUTHORITIES, wanted.toPem());
    }
    if (!wanted.signer().validity().hasBegun(now)) {
      log.warn(
          "{} is not valid yet, check the clock of this machine, which is at {}",
          wanted.signer(),
          now);
    }
    return wanted;
  }

  private static Authorities storedAuthorities(Path file) {
    try {
      return Pem.load(file, Authorities::of).orElse(Authorities.NONE);
    } catch (CertificateProblem damaged) {
      // A new authority would silently break all clients that trust this one: a person must
      // decide.
      throw new CertificateProblem(
          damaged.reason(),
          damaged.getMessage()
              + "; bring it back from a copy, or move it away to get a new authority, which every"
              + " client then has to be told to trust",
          damaged);
    }
  }

  private CertificateAuthority newAuthority() {
    var authority = CertificateAuthority.create(lifetimes.authority(), clock, random);
    log.info("new authority in {}: {}", dir, authority);
    return authority;
  }

  private static void publish(SecretFolder folder, String bundle) {
    if (!holds(folder.file(BUNDLE), bundle)) {
      folder.write(BUNDLE, bundle);
    }
  }

  private static boolean holds(Path file, String text) {
    try {
      return Pem.text(file).equals(Optional.of(text));
    } catch (CertificateProblem _) {
      return false;
    }
  }

  private ServingCertificate serving(SecretFolder folder, Authorities authorities, Instant now) {
    String reason;
    try {
      var stored = Pem.load(folder.file(SERVING), ServingCertificate::of);
      var flaw = stored.map(serving -> flaw(serving, authorities, now)).orElse("there was none");
      if (stored.isPresent() && flaw.isEmpty()) {
        return stored.get();
      }
      reason = flaw;
    } catch (CertificateProblem damaged) {
      reason = damaged.getMessage();
    }
    var issued = authorities.signer().issue(names, lifetimes.serving(), clock, random);
    folder.write(SERVING, issued.toPem());
    log.info("new serving certificate in {}, because {}: {} for {}", dir, reason, issued, names);
    return issued;
  }

  /** Why a stored certificate cannot be used again; empty when it can. */
  private String flaw(ServingCertificate serving, Authorities authorities, Instant now) {
    if (!authorities.issued(serving.leaf())) {
      return "the old one is of another authority";
    }
    if (!now.isBefore(serving.validity().renewalDue())) {
      return "the old one ends at " + serving.validity().until();
    }
    if (!serving.validity().hasBegun(now) && authorities.signer().validity().hasBegun(now)) {
      return "the old one begins only at " + serving.validity().from();
    }
    return covers(serving) ? "" : "the old one lacks some of the names";
  }

  private boolean covers(ServingCertificate serving) {
    try {
      return ServedNames.in(serving.leaf()).covers(names);
    } catch (CertificateParsingException _) {
      return false;
    }
  }

  private Instant nextChange(Authorities authorities, ServingCertificate serving) {
    var ofServing = serving.validity().renewalDue();
    var ofAuthorities = authorities.nextChange(lifetimes);
    return ofServing.isBefore(ofAuthorities) ? ofServing : ofAuthorities;
  }
}
