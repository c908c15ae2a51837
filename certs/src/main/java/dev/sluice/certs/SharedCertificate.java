package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.UNREADABLE;

import dev.sluice.certs.AuthorityStore.Stored;
import dev.sluice.certs.SharedAuthorities.Observation;
import dev.sluice.certs.SharedAuthorities.Pace;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A serving certificate of this server alone, signed by an authority that it shares with others
 * through an {@link AuthorityStore}. The first server creates the authority. Any server takes the
 * next step when it is due; of several that write at once, one succeeds. An empty store is written
 * again with what this server knows. While the store does not answer, the server keeps its
 * certificate.
 */
public final class SharedCertificate implements CertificateSource {
  private static final Logger log = LoggerFactory.getLogger(SharedCertificate.class);
  private static final int ATTEMPTS = 10;

  private final AuthorityStore store;
  private final ServedNames names;
  private final Pace pace;
  private final InstantSource clock;
  private final SecureRandom random;
  private volatile Held held;
  private final PublishedBundle published = new PublishedBundle();

  private record Held(SharedAuthorities authorities, ServingCertificate serving, String bundle) {}

  private SharedCertificate(
      AuthorityStore store,
      ServedNames names,
      Pace pace,
      InstantSource clock,
      SecureRandom random) {
    this.store = store;
    this.names = names;
    this.pace = pace;
    this.clock = clock;
    this.random = random;
    this.held = bringUpToDate(null);
  }

  /**
   * Reads the store, or creates what belongs there.
   *
   * @param names what clients call the server: DNS names and IP addresses; at least one
   * @param settling from when a bundle was seen everywhere until clients are taken to know it
   * @throws CertificateProblem if what is stored is damaged
   */
  public static SharedCertificate open(
      AuthorityStore store,
      Collection<String> names,
      Lifetimes lifetimes,
      Duration settling,
      InstantSource clock,
      SecureRandom random) {
    return new SharedCertificate(
        store, ServedNames.of(names), new Pace(lifetimes, settling), clock, random);
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
  public String withdrawnPem() {
    return Pem.ofCertificates(held.authorities().withdrawn());
  }

  @Override
  public CertificateStatus status() {
    Held now = held;
    var seen = new Observation(clock.instant(), published.since(now.bundle()), "");
    return now.authorities().status(store.toString(), seen, pace, now.serving());
  }

  @Override
  public void seen(String bundle, boolean everywhere) {
    published.seen(bundle, everywhere, clock.instant());
  }

  @Override
  public synchronized Refresh refresh() {
    try {
      Held before = held;
      held = bringUpToDate(before);
      return held.equals(before) ? new Refresh.Unchanged() : new Refresh.Changed();
    } catch (CertificateProblem problem) {
      return new Refresh.Refused(problem);
    } catch (RuntimeException away) {
      return new Refresh.Refused(
          new CertificateProblem(UNREADABLE, store + ": " + away.getMessage(), away));
    }
  }

  private Held bringUpToDate(@Nullable Held before) {
    SharedAuthorities authorities = agree(before);
    Instant now = clock.instant();
    if (before != null && isGood(before.serving(), authorities, now)) {
      return new Held(authorities, before.serving(), Pem.ofCertificates(authorities.published()));
    }
    ServingCertificate issued =
        authorities.signer().issue(names, pace.lifetimes().serving(), clock, random);
    log.info("new serving certificate by the authority in {}: {} for {}", store, issued, names);
    return new Held(authorities, issued, Pem.ofCertificates(authorities.published()));
  }

  private static boolean isGood(
      ServingCertificate serving, SharedAuthorities authorities, Instant now) {
    var signer = authorities.signer().certificate();
    return Authorities.isSignedBy(serving.leaf(), signer)
        && now.isBefore(serving.validity().renewalDue());
  }

  /** What all servers have; what is due is carried on, and stored before it counts. */
  private SharedAuthorities agree(@Nullable Held before) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Optional<Stored> stored = store.read();
      SharedAuthorities known = known(stored, before);
      String requested = stored.map(it -> it.request().strip()).orElse("");
      SharedAuthorities next =
          known.next(observation(known, requested.replaceAll("\\s+", " ")), pace, this::create);
      if (stored.isPresent() && next.toText().equals(stored.get().text())) {
        return next;
      }
      if (store.write(next.toText(), CertificateStatus.line(next.stages()), stored)) {
        log.info("the authorities in {} are now: {}", store, next.members());
        return next;
      }
    }
    throw new CertificateProblem(
        UNREADABLE, store + ": others change it all the time, gave up after " + ATTEMPTS);
  }

  /** What was deleted or damaged is as it was when this server saw it last. */
  private SharedAuthorities known(Optional<Stored> stored, @Nullable Held before) {
    SharedAuthorities remembered = before == null ? SharedAuthorities.NONE : before.authorities();
    if (stored.isEmpty() || stored.get().text().isEmpty()) {
      return remembered;
    }
    try {
      return SharedAuthorities.of(stored.get().text());
    } catch (CertificateProblem damaged) {
      if (before == null) {
        throw new CertificateProblem(
            damaged.reason(),
            store
                + ": "
                + damaged.getMessage()
                + "; delete it to get a new authority, if no other server has the old one",
            damaged);
      }
      log.warn("{} is damaged and restored: {}", store, damaged.getMessage());
      return remembered;
    }
  }

  private Observation observation(SharedAuthorities known, String requested) {
    return new Observation(
        clock.instant(), published.since(Pem.ofCertificates(known.published())), requested);
  }

  private CertificateAuthority create() {
    return CertificateAuthority.create(pace.lifetimes().authority(), clock, random);
  }
}
