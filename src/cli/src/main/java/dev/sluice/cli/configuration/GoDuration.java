package dev.sluice.cli.configuration;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as configurations and manifests write them: {@code 90s}, {@code 1h30m}, {@code 1.5s}.
 */
public final class GoDuration {
  private static final int LONGEST = 64;
  private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ns|us|ms|s|m|h)");
  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private GoDuration() {}

  /**
   * Reads a duration.
   *
   * @throws IllegalArgumentException if the text is none
   */
  public static Duration parse(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    Matcher part = PART.matcher(text);
    BigDecimal nanos = BigDecimal.ZERO;
    int end = 0;
    while (text.length() <= LONGEST && part.find() && part.start() == end) {
      BigDecimal unit = BigDecimal.valueOf(NANOS.getOrDefault(part.group(2), 0L));
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(unit));
      end = part.end();
    }
    if (end == 0 || end < text.length()) {
      throw malformed(text);
    }
    try {
      return Duration.ofNanos(nanos.toBigInteger().longValueExact());
    } catch (ArithmeticException | DateTimeException _) {
      throw malformed(text);
    }
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(text + " (expected: a duration like 1h30m or 45s)");
  }
}
