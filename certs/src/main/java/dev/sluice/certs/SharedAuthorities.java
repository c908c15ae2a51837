package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.KEY_MISMATCH;
import static dev.sluice.certs.CertificateProblem.Reason.UNREADABLE;

import dev.sluice.certs.CertificateStatus.NextStep;
import dev.sluice.certs.CertificateStatus.Phase;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The authorities that several servers share, newest first, and how far the life of each has come.
 * Immutable and pure: {@link #next} says what they become, from what is stored and what was seen.
 *
 * <p>The law behind it: no server shows a certificate that a client with the published bundle
 * refuses. So an authority signs only after it was seen published everywhere, and it is withdrawn
 * only when the last certificate that it can have signed is over.
 *
 * @param members newest first
 * @param request the last request for a new authority that was fulfilled; empty for none
 */
record SharedAuthorities(List<Member> members, String request) {
  static final SharedAuthorities NONE = new SharedAuthorities(List.of(), "");

  /** An authority; it has a key while it may still sign. */
  record Member(
      X509Certificate certificate, Optional<PrivateKey> key, AuthorityStage stage, Instant since) {
    private Member at(AuthorityStage next, Instant now) {
      return new Member(certificate, next.hasKey() ? key : Optional.empty(), next, second(now));
    }

    private boolean isOver(Instant now) {
      return Validity.of(certificate).isOver(now);
    }

    private String toText() {
      return "# %s since %s\n".formatted(stage.name(), since)
          + Pem.of(certificate)
          + key.map(Pem::of).orElse("");
    }

    CertificateStatus.Authority status() {
      return new CertificateStatus.Authority(
          stage,
          since,
          Validity.of(certificate).until(),
          certificate.getSerialNumber().toString(16));
    }

    /** Nothing of the key. */
    @Override
    public String toString() {
      return status().toString();
    }
  }

  /**
   * What is known at one moment.
   *
   * @param now the time
   * @param seen since when every place is known to have the current bundle; empty while one lacks
   *     it
   * @param requested what an operator asked for: a text that was not there before asks for a new
   *     authority
   */
  record Observation(Instant now, Optional<Instant> seen, String requested) {}

  /**
   * How long things take.
   *
   * @param lifetimes of certificates
   * @param settling from when a bundle was seen everywhere until every client has loaded it
   */
  record Pace(Lifetimes lifetimes, Duration settling) {}

  /** A replica may sign that much later than it learns that it should not, clocks included. */
  private static final Duration LAG = Duration.ofMinutes(5);

  private static final int REMEMBERED = 4;
  private static final String REQUEST = "# request ";
  private static final Pattern HEADER = Pattern.compile("(?m)^# ([A-Z]+) since (\\S+)$");

  SharedAuthorities {
    members = List.copyOf(members);
  }

  /**
   * What they become; the same if there is nothing to do.
   *
   * @param create makes a new authority, at most one in a call
   */
  SharedAuthorities next(Observation seen, Pace pace, Supplier<CertificateAuthority> create) {
    Instant now = seen.now();
    Optional<Member> signing = at(AuthorityStage.SIGNING);
    if (signing.isEmpty() || signing.get().isOver(now)) {
      return tidied(successor(now, create), pace, now); // nothing that is signed now is of any use
    }
    Optional<Member> introduced = at(AuthorityStage.INTRODUCED);
    if (introduced.isPresent()) {
      boolean known = seen.seen().filter(it -> !now.isBefore(it.plus(pace.settling()))).isPresent();
      return tidied(known ? successor(now, create) : this, pace, now);
    }
    boolean asked = !seen.requested().isEmpty() && !seen.requested().equals(request);
    boolean due =
        !Validity.of(signing.get().certificate()).outlasts(now, pace.lifetimes().successorAt());
    if (!asked && !due) {
      return tidied(this, pace, now);
    }
    var more = new ArrayList<Member>();
    more.add(member(create.get(), AuthorityStage.INTRODUCED, now));
    more.addAll(members);
    return tidied(new SharedAuthorities(more, asked ? seen.requested() : request), pace, now);
  }

  /** The one that is introduced signs, or a new one if there is none. */
  private SharedAuthorities successor(Instant now, Supplier<CertificateAuthority> create) {
    var changed = new ArrayList<Member>();
    if (at(AuthorityStage.INTRODUCED).isEmpty()) {
      changed.add(member(create.get(), AuthorityStage.SIGNING, now));
    }
    for (Member member : members) {
      changed.add(
          switch (member.stage()) {
            case INTRODUCED -> member.at(AuthorityStage.SIGNING, now);
            case SIGNING -> member.at(AuthorityStage.RETIRED, now);
            case RETIRED, WITHDRAWN -> member;
          });
    }
    return new SharedAuthorities(changed, request);
  }

  /** Without what is over, and with what is not needed any more withdrawn. */
  private static SharedAuthorities tidied(SharedAuthorities state, Pace pace, Instant now) {
    var kept = new ArrayList<Member>();
    int withdrawn = 0;
    for (Member member : state.members) {
      Instant needed = member.since().plus(pace.lifetimes().serving()).plus(LAG);
      Member after =
          member.stage() == AuthorityStage.RETIRED && now.isAfter(needed)
              ? member.at(AuthorityStage.WITHDRAWN, now)
              : member;
      withdrawn += after.stage() == AuthorityStage.WITHDRAWN ? 1 : 0;
      boolean forgotten = after.stage() == AuthorityStage.WITHDRAWN && withdrawn > REMEMBERED;
      if (!forgotten && (after.stage() == AuthorityStage.SIGNING || !after.isOver(now))) {
        kept.add(after);
      }
    }
    return new SharedAuthorities(kept, state.request);
  }

  private static Member member(CertificateAuthority authority, AuthorityStage stage, Instant now) {
    return new Member(authority.certificate(), Optional.of(authority.key()), stage, second(now));
  }

  private static Instant second(Instant now) {
    return now.truncatedTo(ChronoUnit.SECONDS);
  }

  Optional<Member> at(AuthorityStage stage) {
    return members.stream().filter(member -> member.stage() == stage).findFirst();
  }

  /** The one that signs; there is one once {@link #next} has run. */
  CertificateAuthority signer() {
    Member member = at(AuthorityStage.SIGNING).orElseThrow();
    return new CertificateAuthority(member.certificate(), member.key().orElseThrow());
  }

  /** What clients are to trust. */
  List<X509Certificate> published() {
    return members.stream()
        .filter(member -> member.stage() != AuthorityStage.WITHDRAWN)
        .map(Member::certificate)
        .toList();
  }

  /** What clients are to trust no more. */
  List<X509Certificate> withdrawn() {
    return members.stream()
        .filter(member -> member.stage() == AuthorityStage.WITHDRAWN)
        .map(Member::certificate)
        .toList();
  }

  /** How far each has come, newest first. */
  List<CertificateStatus.Authority> stages() {
    return members.stream().map(Member::status).toList();
  }

  /**
   * What is going on, and what happens next.
   *
   * @param serving the certificate that is served now
   */
  CertificateStatus status(String source, Observation seen, Pace pace, ServingCertificate serving) {
    Validity validity = serving.validity();
    NextStep renewal = NextStep.at(validity.renewalDue(), "a new serving certificate");
    return new CertificateStatus(
        source,
        validity.isOver(seen.now()) ? Phase.EXPIRED : phase(seen),
        validity.until(),
        stages(),
        next(seen, pace).orIfSooner(renewal));
  }

  private Phase phase(Observation seen) {
    if (at(AuthorityStage.INTRODUCED).isPresent()) {
      return seen.seen().isPresent() ? Phase.SETTLING : Phase.PUBLISHING;
    }
    return at(AuthorityStage.RETIRED).isPresent() ? Phase.OVERLAPPING : Phase.STEADY;
  }

  private NextStep next(Observation seen, Pace pace) {
    if (at(AuthorityStage.INTRODUCED).isPresent()) {
      return seen.seen()
          .map(since -> NextStep.at(since.plus(pace.settling()), "the new authority signs"))
          .orElse(
              new NextStep(
                  "the new authority signs once all CRDs and webhook configurations have it",
                  Optional.empty()));
    }
    Instant due = Validity.of(signer().certificate()).until().minus(pace.lifetimes().successorAt());
    NextStep successor = NextStep.at(due, "a successor of the authority is published");
    return at(AuthorityStage.RETIRED)
        .map(old -> old.since().plus(pace.lifetimes().serving()).plus(LAG))
        .map(over -> successor.orIfSooner(NextStep.at(over, "the retired authority is withdrawn")))
        .orElse(successor);
  }

  String toText() {
    return REQUEST
        + request
        + "\n"
        + members.stream().map(Member::toText).collect(Collectors.joining());
  }

  /**
   * Reads what {@link #toText} wrote.
   *
   * @throws CertificateProblem if it is damaged, or a key does not belong to its certificate
   */
  static SharedAuthorities of(String text) {
    String request =
        text.startsWith(REQUEST) ? text.lines().findFirst().orElse("").substring(10) : "";
    List<MatchResult> headers = HEADER.matcher(text).results().toList();
    var members = new ArrayList<Member>();
    for (int i = 0; i < headers.size(); i++) {
      int end = i + 1 < headers.size() ? headers.get(i + 1).start() : text.length();
      members.add(member(headers.get(i), Pem.parse(text.substring(headers.get(i).end(), end))));
    }
    if (members.isEmpty()) {
      throw new CertificateProblem(UNREADABLE, "no authority in it");
    }
    var read = new SharedAuthorities(members, request);
    if (members.stream().filter(member -> member.stage() == AuthorityStage.SIGNING).count() != 1) {
      throw new CertificateProblem(UNREADABLE, "not one authority in it that signs");
    }
    return read;
  }

  private static Member member(MatchResult header, Pem pem) {
    if (pem.certificates().size() != 1 || pem.keys().size() > 1) {
      throw new CertificateProblem(UNREADABLE, "a header is not followed by one certificate");
    }
    X509Certificate certificate = pem.certificates().getFirst();
    AuthorityStage stage =
        AuthorityStage.of(header.group(1))
            .orElseThrow(() -> new CertificateProblem(UNREADABLE, "an unknown stage in it"));
    Optional<PrivateKey> key = pem.keys().stream().findFirst();
    if (!CertificateAuthority.isAuthority(certificate) || key.isPresent() != stage.hasKey()) {
      throw new CertificateProblem(
          UNREADABLE, "no authority, or a key too many or too few, at stage " + stage);
    }
    if (key.isPresent() && !KeyPairs.belongTogether(certificate.getPublicKey(), key.get())) {
      throw new CertificateProblem(KEY_MISMATCH, "a private key belongs to another certificate");
    }
    return new Member(certificate, key, stage, since(header.group(2)));
  }

  private static Instant since(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException damaged) {
      throw new CertificateProblem(UNREADABLE, "no time in a header", damaged);
    }
  }
}
