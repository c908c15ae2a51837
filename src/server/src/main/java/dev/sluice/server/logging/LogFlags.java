package dev.sluice.server.logging;

import picocli.CommandLine.Option;

/** The flags of every command that logs. */
@SuppressWarnings("NullAway.Init") // set by picocli, from the defaults where a flag is not given
public final class LogFlags {
  /** How a line is written. */
  public enum Format {
    /** For people. */
    TEXT,
    /** One JSON object a line. */
    JSON
  }

  /** How much is logged. */
  public enum Level {
    ERROR,
    WARN,
    INFO,
    DEBUG
  }

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      defaultValue = "INFO",
      description =
          "error, warn, info or debug; debug logs every review with its uid"
              + " (default: ${DEFAULT-VALUE}).")
  private Level level;

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      defaultValue = "TEXT",
      description = "text or json, on stderr (default: ${DEFAULT-VALUE}).")
  private Format format;

  /** Makes the program log as the flags say. */
  public void apply() {
    Logging.apply(level, format);
  }
}
