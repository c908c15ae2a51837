package dev.sluice.server.wiring;

import dev.sluice.manifests.Target;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a Service: {@code NAMESPACE/NAME}, or {@code NAMESPACE/NAME:PORT}. */
public final class ServiceConverter implements ITypeConverter<Target.Service> {
  @Override
  public Target.Service convert(String text) {
    int slash = text.indexOf('/');
    int colon = text.indexOf(':', slash + 1);
    if (slash < 0) {
      throw wrong(text, "NAMESPACE/NAME or NAMESPACE/NAME:PORT");
    }
    String name = colon < 0 ? text.substring(slash + 1) : text.substring(slash + 1, colon);
    try {
      int port =
          colon < 0 ? Target.Service.DEFAULT.port() : Integer.parseInt(text.substring(colon + 1));
      return new Target.Service(text.substring(0, slash), name, port);
    } catch (NumberFormatException e) {
      throw wrong(text, "a port after the colon");
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("'" + text + "': " + e.getMessage());
    }
  }

  private static TypeConversionException wrong(String text, String expected) {
    return new TypeConversionException("'" + text + "' (expected: " + expected + ")");
  }
}
