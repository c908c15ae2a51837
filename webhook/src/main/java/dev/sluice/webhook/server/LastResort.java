package dev.sluice.webhook.server;

/**
 * Ends the process when memory ran out. Which other thread failed to get memory at that moment
 * nobody knows, so a server that goes on may be deaf and look well. The launcher has the JVM do the
 * same ({@code -XX:+ExitOnOutOfMemoryError}); this is for errors that the JVM does not see, such as
 * those of a library, and for other launchers.
 */
final class LastResort {
  /** The status with which the JVM itself ends when memory ran out. */
  static final int STATUS = 3;

  private LastResort() {}

  /** Says why in one line, and never returns. */
  static void end(OutOfMemoryError error) {
    try {
      System.err.println("sluice: out of memory, so the process ends: " + error.getMessage());
    } finally {
      Runtime.getRuntime().halt(STATUS);
    }
  }
}
