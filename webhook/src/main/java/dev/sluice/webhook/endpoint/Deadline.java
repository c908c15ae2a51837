package dev.sluice.webhook.endpoint;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The moment by which a request must be answered. */
public final class Deadline {
  private static final Pattern GO_DURATION =
      Pattern.compile(
          "(?:(\\d{1,3})h)?(?:(\\d{1,5})m)?(?:(\\d{1,6}(?:\\.\\d{1,9})?)s)?"
              + "(?:(\\d{1,7}(?:\\.\\d{1,6})?)ms)?");
  private static final int NANOS_OF_SECOND = 9;
  private static final int NANOS_OF_MILLI = 6;

  private final LongSupplier nanoTime;
  private final long at;

  private Deadline(LongSupplier nanoTime, long at) {
    this.nanoTime = nanoTime;
    this.at = at;
  }

  /** The deadline this far from now, by a clock that counts nanoseconds from anywhere. */
  public static Deadline after(Duration time, LongSupplier nanoTime) {
    return new Deadline(nanoTime, nanoTime.getAsLong() + time.toNanos());
  }

  /**
   * The time a caller allows, as Kubernetes writes it into {@code ?timeout=}: {@code 10s}, {@code
   * 1m30s}, {@code 1.5s}, {@code 500ms}. Empty for anything else, and for no time at all.
   */
  public static Optional<Duration> parse(String text) {
    Matcher matcher = GO_DURATION.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    Duration duration =
        Duration.ofHours(whole(matcher, 1))
            .plusMinutes(whole(matcher, 2))
            .plusNanos(nanos(matcher, 3, NANOS_OF_SECOND))
            .plusNanos(nanos(matcher, 4, NANOS_OF_MILLI));
    return duration.isZero() ? Optional.empty() : Optional.of(duration);
  }

  private static long whole(Matcher matcher, int group) {
    String text = matcher.group(group);
    return text == null ? 0 : Long.parseLong(text);
  }

  private static long nanos(Matcher matcher, int group, int digits) {
    String text = matcher.group(group);
    return text == null ? 0 : new BigDecimal(text).movePointRight(digits).longValueExact();
  }

  /** The time until then; negative when it is over. */
  public Duration left() {
    return Duration.ofNanos(at - nanoTime.getAsLong());
  }

  /** Whether it is too late. */
  public boolean expired() {
    return nanoTime.getAsLong() - at >= 0;
  }
}
