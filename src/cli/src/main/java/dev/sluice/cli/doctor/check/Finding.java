package dev.sluice.cli.doctor.check;

/**
 * What one check found.
 *
 * @param level how bad it is
 * @param object what was looked at
 * @param seen what was found, in a sentence
 * @param remedy what to do about it, a command where there is one; empty if all is well
 */
public record Finding(Level level, String object, String seen, String remedy) {
  /** How bad it is. */
  public enum Level {
    /** As it should be. */
    OK,
    /** Works now, but will not always, or could not be looked at. */
    WARNING,
    /** Does not work. */
    ERROR;

    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }
}
