package dev.sluice.cli.kinds;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** Files beside the tests. */
public final class Resources {
  private Resources() {}

  /** The text of a file below {@code src/test/resources}. */
  public static String text(String name) {
    try (InputStream stream = Resources.class.getResourceAsStream("/" + name)) {
      return new String(Objects.requireNonNull(stream, name).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }
}
