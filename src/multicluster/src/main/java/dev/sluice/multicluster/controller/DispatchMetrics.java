package dev.sluice.multicluster.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.Supplier;

/** Counts the Workloads that are sent to workers, by the metrics of Kueue. Thread-safe. */
final class DispatchMetrics {
  private static final String DISPATCHED = "multikueue.workloads.dispatched";
  private static final String ADMITTED = "multikueue.workloads.admitted";
  private static final String QUEUE = "cluster_queue";
  private static final String CLUSTER = "cluster";

  private final MeterRegistry registry;
  private final Supplier<String> role;

  /**
   * Metrics with all counters at zero.
   *
   * @param role the role of this replica
   */
  DispatchMetrics(MeterRegistry registry, Supplier<String> role) {
    this.registry = registry;
    this.role = role;
  }

  /** A copy was created. */
  void dispatched(JsonNode workload, String cluster) {
    count(
        DISPATCHED, "Copies of Workloads that were created on worker clusters", workload, cluster);
  }

  /** A cluster was chosen. */
  void admitted(JsonNode workload, String cluster) {
    count(ADMITTED, "Workloads that a worker cluster was chosen for", workload, cluster);
  }

  /** A ClusterQueue of that name is not there any more. */
  void queueGone(String clusterQueue) {
    remove(QUEUE, clusterQueue);
  }

  /** A MultiKueueCluster of that name is not there any more. */
  void clusterGone(String cluster) {
    remove(CLUSTER, cluster);
  }

  private void remove(String tag, String value) {
    for (String name : List.of(DISPATCHED, ADMITTED)) {
      registry.find(name).tag(tag, value).meters().forEach(registry::remove);
    }
  }

  private void count(String name, String description, JsonNode workload, String cluster) {
    Counter.builder(name)
        .description(description)
        .tag(QUEUE, workload.at("/status/admission/clusterQueue").asText(""))
        .tag(CLUSTER, cluster)
        .tag("replica_role", role.get())
        .register(registry)
        .increment();
  }
}
