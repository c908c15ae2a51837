package dev.sluice.certs;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How far the certificates of a server have come, for people and for metrics. Holds no key.
 *
 * @param source where they come from
 * @param phase what is going on
 * @param servingUntil when the certificate that is served ends
 * @param authorities those that are published or withdrawn, newest first; empty if they are managed
 *     elsewhere
 * @param next what happens next, if nobody does anything
 */
public record CertificateStatus(
    String source, Phase phase, Instant servingUntil, List<Authority> authorities, NextStep next) {
  private static final Pattern AUTHORITY =
      Pattern.compile("([a-z]+) since (\\S+) until (\\S+), serial (\\S+)");

  /** What is going on. */
  public enum Phase {
    /** One authority is published, and it signs. */
    STEADY,
    /** A new authority is published, and not all clients are known to trust it. */
    PUBLISHING,
    /** All clients were given the new authority; it signs once they had time to load it. */
    SETTLING,
    /** A new authority signs, and an old one is trusted until its certificates are over. */
    OVERLAPPING,
    /** Somebody else renews the certificate. */
    EXTERNAL,
    /** The certificate that is served is over, so that clients refuse it. */
    EXPIRED;

    /** As in metrics and reports. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One authority.
   *
   * @param stage how far it has come
   * @param since when it came there
   * @param until when it ends
   * @param serial its serial number in hexadecimal, to find it in a bundle
   */
  public record Authority(AuthorityStage stage, Instant since, Instant until, String serial) {
    @Override
    public String toString() {
      return "%s since %s until %s, serial %s".formatted(stage, since, until, serial);
    }
  }

  /**
   * What happens next.
   *
   * @param what in a few words
   * @param due when; empty if it depends on somebody else
   */
  public record NextStep(String what, Optional<Instant> due) {
    static NextStep at(Instant due, String what) {
      return new NextStep(what, Optional.of(due));
    }

    /** The one that comes first. */
    NextStep orIfSooner(NextStep other) {
      return due.isPresent() && other.due.isPresent() && other.due.get().isBefore(due.get())
          ? other
          : this;
    }

    @Override
    public String toString() {
      return what + due.map(at -> " at " + at).orElse("");
    }
  }

  public CertificateStatus {
    authorities = List.copyOf(authorities);
  }

  /** Whether clients can trust what is served. */
  public boolean isGood() {
    return phase != Phase.EXPIRED;
  }

  /** The one whose certificates are served; empty if it is not known. */
  public Optional<Authority> signer() {
    return authorities.stream().filter(it -> it.stage() == AuthorityStage.SIGNING).findFirst();
  }

  /** The authorities in one line, such as for an annotation. */
  static String line(List<Authority> authorities) {
    return authorities.stream().map(Authority::toString).collect(Collectors.joining("; "));
  }

  /**
   * Reads such a line.
   *
   * @return empty if a server has not written it, or one that knows other stages
   */
  public static List<Authority> parse(String line) {
    var authorities = new ArrayList<Authority>();
    try {
      for (String text : line.split("; ", -1)) {
        Matcher matcher = AUTHORITY.matcher(text);
        if (!matcher.matches()) {
          return List.of();
        }
        authorities.add(
            new Authority(
                AuthorityStage.of(matcher.group(1)).orElseThrow(),
                Instant.parse(matcher.group(2)),
                Instant.parse(matcher.group(3)),
                matcher.group(4)));
      }
      return authorities;
    } catch (DateTimeParseException | NoSuchElementException _) {
      return List.of();
    }
  }

  /**
   * Some lines for people.
   *
   * @param now the time, to say how long things last
   */
  public String text(Instant now) {
    StringBuilder text = new StringBuilder();
    text.append("certificates from %s: %s\n".formatted(source, phase));
    text.append("served until %s (%s)\n".formatted(servingUntil, in(now, servingUntil)));
    for (Authority authority : authorities) {
      text.append("authority %s (%s)\n".formatted(authority, in(now, authority.until())));
    }
    text.append("next: ").append(next);
    next.due().ifPresent(due -> text.append(" (").append(in(now, due)).append(')'));
    return text.append('\n').toString();
  }

  private static String in(Instant now, Instant then) {
    Duration left = Duration.between(now, then).truncatedTo(ChronoUnit.SECONDS);
    String amount =
        left.abs().toDays() > 1
            ? left.abs().toDays() + " days"
            : left.abs().toString().substring(2).toLowerCase(Locale.ROOT);
    return left.isNegative() ? amount + " ago" : "in " + amount;
  }
}
