package dev.sluice.server.wiring;

import dev.sluice.webhook.endpoint.Deadline;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a time as Kubernetes writes it: {@code 30s}, {@code 1m30s}, {@code 500ms}; {@code 0} too.
 */
public final class TimeConverter implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    if (text.equals("0") || text.equals("0s")) {
      return Duration.ZERO;
    }
    return Deadline.parse(text)
        .orElseThrow(
            () -> new TypeConversionException("'" + text + "' (expected: a time such as 30s)"));
  }
}
