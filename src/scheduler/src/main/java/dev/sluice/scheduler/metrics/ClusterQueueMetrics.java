package dev.sluice.scheduler.metrics;

import static dev.sluice.scheduler.metrics.MetricDefinition.gauge;

import dev.sluice.quota.Snapshot;
import dev.sluice.quota.inventory.Inactivity;
import dev.sluice.scheduler.metrics.QueueStats.Load;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** How many Workloads each ClusterQueue has, and whether it takes part. */
final class ClusterQueueMetrics {
  private static final MetricDefinition PENDING =
      gauge(
          "kueue_pending_workloads",
          "Workloads that wait; inadmissible are those that wait for an event",
          "cluster_queue",
          "status");
  private static final MetricDefinition SHAPES =
      gauge(
          "kueue_pending_scheduling_hashes",
          "Different Workloads among those that wait: equal ones get the same verdict",
          "cluster_queue",
          "status");
  private static final MetricDefinition FINISHED =
      gauge("kueue_finished_workloads", "Finished Workloads still there", "cluster_queue");
  private static final MetricDefinition RESERVING =
      gauge("kueue_reserving_active_workloads", "Workloads that hold quota", "cluster_queue");
  private static final MetricDefinition ADMITTED =
      gauge("kueue_admitted_active_workloads", "Admitted Workloads, not finished", "cluster_queue");
  private static final MetricDefinition UNADMITTED =
      gauge(
          "kueue_unadmitted_workloads",
          "Workloads that are not admitted, by the reasons in their conditions",
          "cluster_queue",
          "reason",
          "underlying_cause");
  private static final MetricDefinition STATUS =
      gauge(
          "kueue_cluster_queue_status",
          "1 for the status that the ClusterQueue has",
          "cluster_queue",
          "status");
  private static final MetricDefinition REQUESTED =
      gauge(
          "kueue_cluster_queue_resource_pending",
          "What Workloads that wait ask for; cpu in cores",
          "cluster_queue",
          "resource");
  private static final MetricDefinition OLDEST =
      gauge(
          "sluice_queue_oldest_seconds",
          "How long the Workload has waited that waits longest",
          "cluster_queue");
  private static final MetricDefinition IMPOSSIBLE =
      gauge(
          "sluice_impossible_placements",
          "Workloads that hold quota with a topology assignment that cannot be, so none is booked",
          "cluster_queue");

  private final MetricSettings settings;

  ClusterQueueMetrics(MetricSettings settings) {
    this.settings = settings;
  }

  void measure(Rows rows, Snapshot snapshot, QueueStats stats, Instant now) {
    for (String name : snapshot.clusterQueues()) {
      Load load = stats.clusterQueue(name);
      load.tell(
          stats.labels(),
          (tags, count) -> {
            rows.add(PENDING, count.active, tags, name, "active");
            rows.add(PENDING, count.inadmissible, tags, name, "inadmissible");
            rows.add(RESERVING, count.reserving, tags, name);
            rows.add(ADMITTED, count.admitted, tags, name);
          });
      if (settings.shapes()) {
        rows.add(SHAPES, load.activeShapes.size(), name, "active");
        rows.add(SHAPES, load.inadmissibleShapes.size(), name, "inadmissible");
      }
      rows.add(FINISHED, load.finished, name);
      load.unadmitted.forEach(
          (why, count) -> rows.add(UNADMITTED, count, name, why.reason(), why.cause()));
      if (settings.clusterQueueResources()) {
        load.requested.forEach(
            (resource, amount) -> rows.add(REQUESTED, Cores.of(resource, amount), name, resource));
      }
      rows.add(IMPOSSIBLE, load.impossible, name);
      rows.add(OLDEST, age(load, now), name);
      status(rows, name, snapshot.inactivity(name));
    }
  }

  private static double age(Load load, Instant now) {
    return load.oldest.equals(Instant.MAX)
        ? 0
        : Math.max(0, Duration.between(load.oldest, now).toSeconds());
  }

  private static void status(Rows rows, String name, List<Inactivity> causes) {
    boolean leaves = causes.stream().anyMatch(it -> it.reason() == Inactivity.Reason.TERMINATING);
    String present = leaves ? "terminating" : causes.isEmpty() ? "active" : "pending";
    for (String status : List.of("pending", "active", "terminating")) {
      rows.add(STATUS, status.equals(present) ? 1 : 0, name, status);
    }
  }
}
