package dev.sluice.bench.report;

import java.util.Map;
import java.util.TreeMap;

/** Rows of a table that say how many requests a cluster was sent for each Workload. */
public final class RequestRows {
  private RequestRows() {}

  /**
   * The rows, by verb and resource.
   *
   * @param counts the requests for all of those Workloads
   */
  public static String of(String cluster, Map<String, Long> counts, int workloads) {
    StringBuilder rows = new StringBuilder();
    new TreeMap<>(counts)
        .forEach(
            (what, count) ->
                rows.append(
                    "| %s %s | %.2f |%n".formatted(cluster, what, (double) count / workloads)));
    return rows.toString();
  }
}
