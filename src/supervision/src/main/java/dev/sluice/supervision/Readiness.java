package dev.sluice.supervision;

/**
 * Whether requests should be sent here.
 *
 * @param ready whether they should
 * @param sentence why or why not
 */
public record Readiness(boolean ready, String sentence) {
  /** Before the first probe succeeded. */
  public static final Readiness STARTING = new Readiness(false, "starting");

  /** After the probes succeeded. */
  public static final Readiness READY = new Readiness(true, "ready");

  /** While the last requests are answered. */
  public static final Readiness DRAINING = new Readiness(false, "draining");
}
