package dev.sluice.api.configuration;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as Kubernetes writes them: {@code 1h30m}, {@code 2.5s}, {@code 300ms}, {@code 0}. */
public final class GoDuration {
  /** The expected form, for messages. */
  static final String EXPECTED = "a time such as 30s, 5m or 1h30m";

  private static final int MAX_LENGTH = 64;
  private static final BigDecimal MAX_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final Pattern PART =
      Pattern.compile("([0-9]{1,20}(?:\\.[0-9]{0,20})?|\\.[0-9]{1,20})(ns|us|µs|ms|s|m|h)");
  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private GoDuration() {}

  /** Reads the whole text; empty if it is no such time, or longer than 292 years. */
  public static Optional<Duration> parse(String text) {
    boolean negative = text.startsWith("-");
    String rest = negative || text.startsWith("+") ? text.substring(1) : text;
    if (rest.equals("0")) {
      return Optional.of(Duration.ZERO);
    }
    return rest.length() <= MAX_LENGTH ? sum(rest, negative) : Optional.empty();
  }

  /**
   * Reads a time that must be one and may not be negative.
   *
   * @throws IllegalArgumentException saying what was expected, if it is something else
   */
  public static Duration require(String text) {
    return parse(text)
        .filter(duration -> !duration.isNegative())
        .orElseThrow(
            () ->
                new IllegalArgumentException(text + " (expected: " + EXPECTED + ", not negative)"));
  }

  private static Optional<Duration> sum(String text, boolean negative) {
    BigDecimal nanos = BigDecimal.ZERO;
    Matcher part = PART.matcher(text);
    int end = 0;
    while (end < text.length() && part.find(end) && part.start() == end) {
      String number = part.group(1).endsWith(".") ? part.group(1) + "0" : part.group(1);
      BigDecimal unit = BigDecimal.valueOf(NANOS.getOrDefault(part.group(2), 0L));
      nanos = nanos.add(new BigDecimal(number).multiply(unit));
      end = part.end();
    }
    if (end == 0 || end < text.length() || nanos.compareTo(MAX_NANOS) > 0) {
      return Optional.empty();
    }
    Duration duration = Duration.ofNanos(nanos.longValue());
    return Optional.of(negative ? duration.negated() : duration);
  }
}
