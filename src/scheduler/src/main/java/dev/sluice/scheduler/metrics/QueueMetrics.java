package dev.sluice.scheduler.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** How queues are, as of the last time that somebody said. Queues that are gone have no series. */
public final class QueueMetrics {
  private final MeterRegistry registry;
  private final Supplier<String> role;
  private final Map<String, MultiGauge> gauges = new HashMap<>();

  /**
   * Measures into a registry.
   *
   * @param role whether we lead, follow or are alone
   */
  public QueueMetrics(MeterRegistry registry, Supplier<String> role) {
    this.registry = registry;
    this.role = role;
  }

  /**
   * A ClusterQueue.
   *
   * @param status pending, active or terminating
   * @param oldestSeconds how long the one that waits longest has waited
   */
  public record ClusterQueueLoad(
      String name,
      String status,
      int active,
      int inadmissible,
      int reserving,
      int admitted,
      double oldestSeconds) {}

  /** A LocalQueue. */
  public record LocalQueueLoad(
      String namespace, String name, boolean active, int pending, int reserving, int admitted) {}

  /** All queues are so. */
  public synchronized void update(
      List<ClusterQueueLoad> clusterQueues, List<LocalQueueLoad> localQueues) {
    Map<String, List<Row<?>>> rows = new HashMap<>();
    for (ClusterQueueLoad queue : clusterQueues) {
      Tags tags = Tags.of("replica_role", role.get(), "cluster_queue", queue.name());
      add(rows, "kueue.pending.workloads", tags.and("status", "active"), queue.active());
      add(
          rows,
          "kueue.pending.workloads",
          tags.and("status", "inadmissible"),
          queue.inadmissible());
      add(rows, "kueue.reserving.active.workloads", tags, queue.reserving());
      add(rows, "kueue.admitted.active.workloads", tags, queue.admitted());
      add(rows, "sluice.queue.oldest.seconds", tags, queue.oldestSeconds());
      for (String status : List.of("pending", "active", "terminating")) {
        add(
            rows,
            "kueue.cluster.queue.status",
            tags.and("status", status),
            status.equals(queue.status()) ? 1 : 0);
      }
    }
    for (LocalQueueLoad queue : localQueues) {
      Tags tags =
          Tags.of("replica_role", role.get(), "name", queue.name(), "namespace", queue.namespace());
      add(
          rows,
          "kueue.local.queue.pending.workloads",
          tags.and("status", "active"),
          queue.pending());
      add(rows, "kueue.local.queue.reserving.active.workloads", tags, queue.reserving());
      add(rows, "kueue.local.queue.admitted.active.workloads", tags, queue.admitted());
      for (String active : List.of("True", "False")) {
        add(
            rows,
            "kueue.local.queue.status",
            tags.and("active", active),
            active.equals("True") == queue.active() ? 1 : 0);
      }
    }
    gauges.keySet().forEach(name -> rows.putIfAbsent(name, List.of()));
    rows.forEach(
        (name, values) ->
            gauges
                .computeIfAbsent(name, it -> MultiGauge.builder(it).register(registry))
                .register(values, true));
  }

  private static void add(Map<String, List<Row<?>>> rows, String name, Tags tags, double value) {
    rows.computeIfAbsent(name, _ -> new ArrayList<>()).add(Row.of(tags, value));
  }
}
