package dev.sluice.cli.report;

import dev.sluice.server.wiring.TimeConverter;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads days, such as {@code 7d}, or a time, such as {@code 12h}. */
public final class AgeConverter implements ITypeConverter<Duration> {
  private static final int MOST_DAYS = 10_000;

  @Override
  public Duration convert(String text) {
    if (text.matches("\\d{1,5}d")) {
      int days = Integer.parseInt(text.substring(0, text.length() - 1));
      if (days > 0 && days <= MOST_DAYS) {
        return Duration.ofDays(days);
      }
    } else {
      Duration time = new TimeConverter().convert(text);
      if (time.isPositive()) {
        return time;
      }
    }
    throw new TypeConversionException("'" + text + "' (expected: a time such as 7d or 12h)");
  }
}
