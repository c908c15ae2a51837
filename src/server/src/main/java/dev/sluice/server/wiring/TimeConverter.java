package dev.sluice.server.wiring;

import dev.sluice.api.configuration.GoDuration;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a time as Kubernetes writes it: {@code 30s}, {@code 1m30s}, {@code 500ms}; {@code 0} too.
 */
public final class TimeConverter implements ITypeConverter<Duration> {
  private static final Duration LONGEST = Duration.ofDays(3650);

  @Override
  public Duration convert(String text) {
    return GoDuration.parse(text)
        .filter(time -> !time.isNegative() && time.compareTo(LONGEST) < 0)
        .orElseThrow(
            () -> new TypeConversionException("'" + text + "' (expected: a time such as 30s)"));
  }
}
