package dev.sluice.bench.dispatch;

import dev.sluice.bench.flow.FlowCluster;
import dev.sluice.bench.flow.MetricsText;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** How many requests API servers were sent for Jobs and Workloads, by verb and resource. */
final class RequestCounts {
  /** What grows with the Workloads; leases, queues and lists do not. */
  private static final Set<String> COUNTED =
      Set.of("workloads", "workloads/status", "jobs", "jobs/status", "events");

  private static final Set<String> VERBS = Set.of("POST", "PATCH", "PUT", "GET", "DELETE");

  private RequestCounts() {}

  static Map<String, Long> of(FlowCluster cluster) {
    return of(List.of(cluster));
  }

  /** The sums of several clusters. */
  static Map<String, Long> of(Collection<FlowCluster> clusters) {
    Map<String, Long> sums = new TreeMap<>();
    for (FlowCluster cluster : clusters) {
      MetricsText.sums(
              cluster.client().get("/metrics").orThrow().body(),
              "apiserver_request_total",
              RequestCounts::key)
          .forEach((key, count) -> sums.merge(key, count, Long::sum));
    }
    return sums;
  }

  private static String key(Map<String, String> labels) {
    String verb = labels.getOrDefault("verb", "");
    String sub = labels.getOrDefault("subresource", "");
    String resource = labels.getOrDefault("resource", "") + (sub.isEmpty() ? "" : "/" + sub);
    return VERBS.contains(verb) && COUNTED.contains(resource) ? verb + " " + resource : "";
  }
}
