package dev.sluice.server.see;

import java.nio.file.Path;

/**
 * Where a history is kept.
 *
 * @param bound of all its files together, in bytes
 */
public record HistoryPlace(Path folder, long bound) {
  /** The bound where nobody names one. */
  public static final long USUAL_BOUND = 256L << 20;
}
