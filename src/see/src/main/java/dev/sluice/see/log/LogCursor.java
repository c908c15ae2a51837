package dev.sluice.see.log;

import java.time.Instant;

/**
 * A place in a log: that after the entry with this time and id. Logs of the same cluster have the
 * same places, whichever process keeps them.
 */
public record LogCursor(Instant at, String id) {
  private static final long LATEST = 253_402_300_799L; // in the year 9999

  /** The place after that entry. */
  public static LogCursor after(LogEntry entry) {
    return new LogCursor(entry.at(), entry.id());
  }

  /**
   * The place of that text.
   *
   * @throws IllegalArgumentException with the parameter, its value, and what was expected
   */
  public static LogCursor of(String text) {
    int dash = text.indexOf('-');
    try {
      long second = Long.parseLong(text.substring(0, Math.max(0, dash)));
      if (second >= 0 && second <= LATEST) {
        return new LogCursor(Instant.ofEpochSecond(second), text.substring(dash + 1));
      }
    } catch (NumberFormatException _) {
      // the same answer
    }
    throw new IllegalArgumentException(
        "before: '%s' (expected: next of an earlier answer)".formatted(text));
  }

  /** As {@link #of} reads it. */
  public String text() {
    return at.getEpochSecond() + "-" + id;
  }
}
