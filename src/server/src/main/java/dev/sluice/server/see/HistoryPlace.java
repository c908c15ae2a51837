package dev.sluice.server.see;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a history is kept, and where else its forecasts go.
 *
 * @param bound of all its files together, in bytes
 * @param annotator the namespace of the Lease by which replicas agree on who writes forecasts to
 *     Workloads; null if nobody does
 */
public record HistoryPlace(Path folder, long bound, @Nullable String annotator) {
  /** The bound where nobody names one. */
  public static final long USUAL_BOUND = 256L << 20;

  /** One whose forecasts go nowhere else. */
  public HistoryPlace(Path folder, long bound) {
    this(folder, bound, null);
  }

  /** The same, whose forecasts are also written to Workloads. */
  HistoryPlace annotatingBy(String namespace) {
    return new HistoryPlace(folder, bound, namespace);
  }
}
