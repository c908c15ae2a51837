package dev.sluice.server.wiring;

import java.nio.file.Path;
import java.util.Map;

/** The default folder for data that must survive a restart. */
final class DataFolder {
  private DataFolder() {}

  /** The folder by the XDG convention, given the environment and the user's home. */
  static Path standard(Map<String, String> environment, Path home) {
    String base = environment.getOrDefault("XDG_DATA_HOME", "");
    Path data = base.isEmpty() ? home.resolve(".local/share") : Path.of(base);
    return data.resolve("sluice");
  }
}
