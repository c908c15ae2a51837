package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class DispatchMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final DispatchMetrics metrics = new DispatchMetrics(registry, () -> "leader");

  private static JsonNode workloadOf(String clusterQueue) {
    return Lookup.tree("{'status': {'admission': {'clusterQueue': '%s'}}}".formatted(clusterQueue));
  }

  private List<String> queues() {
    return registry.getMeters().stream()
        .map(it -> it.getId().getName() + " " + it.getId().getTag("cluster_queue"))
        .sorted()
        .toList();
  }

  @Test
  void theSeriesOfAClusterQueueGoWithIt() {
    for (String queue : List.of("a", "b")) {
      metrics.dispatched(workloadOf(queue), "worker");
      metrics.admitted(workloadOf(queue), "worker");
    }

    metrics.queueGone("a");

    assertThat(queues())
        .containsExactly("multikueue.workloads.admitted b", "multikueue.workloads.dispatched b");
    metrics.admitted(workloadOf("a"), "worker");
    assertThat(
            registry
                .get("multikueue.workloads.admitted")
                .tag("cluster_queue", "a")
                .counter()
                .count())
        .as("a queue of the same name begins anew")
        .isEqualTo(1);
  }

  @Test
  void theSeriesOfAWorkerClusterGoWithIt() {
    for (String cluster : List.of("east", "west")) {
      metrics.dispatched(workloadOf("a"), cluster);
      metrics.admitted(workloadOf("a"), cluster);
    }

    metrics.clusterGone("east");

    assertThat(registry.getMeters())
        .extracting(it -> it.getId().getName() + " " + it.getId().getTag("cluster"))
        .containsExactlyInAnyOrder(
            "multikueue.workloads.admitted west", "multikueue.workloads.dispatched west");
  }
}
