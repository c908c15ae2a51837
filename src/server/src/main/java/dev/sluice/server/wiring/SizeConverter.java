package dev.sluice.server.wiring;

import dev.sluice.api.Quantity;
import java.math.BigDecimal;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of bytes as Kubernetes writes it: {@code 40Mi}, {@code 1G}, {@code 65536}. */
public final class SizeConverter implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    return Quantity.parse(text)
        .map(Quantity::value)
        .filter(bytes -> bytes.signum() > 0)
        .map(SizeConverter::exactly)
        .orElseThrow(
            () -> new TypeConversionException("'" + text + "' (expected: a size such as 40Mi)"));
  }

  private static Long exactly(BigDecimal bytes) {
    try {
      return bytes.longValueExact();
    } catch (ArithmeticException e) {
      throw new TypeConversionException("'" + bytes.toPlainString() + "' (expected: whole bytes)");
    }
  }
}
