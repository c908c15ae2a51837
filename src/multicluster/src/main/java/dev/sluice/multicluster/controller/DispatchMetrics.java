package dev.sluice.multicluster.controller;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.multicluster.link.Workers;
import dev.sluice.multicluster.protocol.Link;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** What is counted of Workloads that go to workers. Thread-safe. */
final class DispatchMetrics {
  private final MeterRegistry registry;

  DispatchMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Measures how well that worker can be reached, from the first time that it is told. */
  void measure(String cluster, Workers workers, Lanes lanes) {
    gauge(
        "sluice.worker.connected",
        "Whether a worker cluster is connected",
        cluster,
        () ->
            workers
                .find(cluster)
                .filter(it -> it.link() instanceof Link.Connected)
                .map(_ -> 1)
                .orElse(0));
    gauge(
        "sluice.worker.queue",
        "Objects of a worker cluster that wait for a request",
        cluster,
        () -> lanes.find(cluster).map(Lane::size).orElse(0));
    gauge(
        "sluice.worker.breaker",
        "Whether a worker cluster failed so often that it is only tried now and then",
        cluster,
        () -> lanes.find(cluster).filter(Lane::isBroken).map(_ -> 1).orElse(0));
  }

  private void gauge(String name, String description, String cluster, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).tag("cluster", cluster).register(registry);
  }

  /** A copy was created. */
  void dispatched(JsonNode workload, String cluster) {
    count(
        "multikueue.workloads.dispatched",
        "Copies of Workloads that were created on worker clusters",
        workload,
        cluster);
  }

  /** A cluster was chosen. */
  void admitted(JsonNode workload, String cluster) {
    count(
        "multikueue.workloads.admitted",
        "Workloads that a worker cluster was chosen for",
        workload,
        cluster);
  }

  private void count(String name, String description, JsonNode workload, String cluster) {
    Counter.builder(name)
        .description(description)
        .tag("cluster_queue", workload.at("/status/admission/clusterQueue").asText(""))
        .tag("cluster", cluster)
        .register(registry)
        .increment();
  }
}
