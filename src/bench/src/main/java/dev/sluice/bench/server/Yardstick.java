package dev.sluice.bench.server;

/** What is measured. */
public enum Yardstick {
  /** Sluice itself. */
  SLUICE("sluice"),
  /** The same server, which only reads a body and sends it back: what is physically possible. */
  ECHO("echo"),
  /** A plain Vert.x server that parses each admission review and allows it. */
  BARE("bare");

  private final String label;

  Yardstick(String label) {
    this.label = label;
  }

  /** Its name in tables and commands. */
  public String label() {
    return label;
  }

  /**
   * The one of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Yardstick named(String label) {
    for (Yardstick candidate : values()) {
      if (candidate.label.equals(label)) {
        return candidate;
      }
    }
    throw new IllegalArgumentException(label + " (expected: sluice, echo or bare)");
  }
}
