package dev.sluice.scheduler.metrics;

import static dev.sluice.scheduler.metrics.MetricDefinition.gauge;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.queue.StopPolicy;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.scheduler.metrics.QueueStats.Load;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How many Workloads each LocalQueue has that is measured, and how much they use. */
final class LocalQueueMetrics {
  private static final MetricDefinition PENDING =
      local(
          "pending_workloads",
          "Workloads that wait; inadmissible are those that wait for an event",
          "status");
  private static final MetricDefinition FINISHED =
      local("finished_workloads", "Finished Workloads still there");
  private static final MetricDefinition RESERVING =
      local("reserving_active_workloads", "Workloads that hold quota");
  private static final MetricDefinition ADMITTED =
      local("admitted_active_workloads", "Admitted Workloads, not finished");
  private static final MetricDefinition STATUS =
      local("status", "1 for what the condition Active of the LocalQueue is", "active");
  private static final MetricDefinition UNADMITTED =
      local(
          "unadmitted_workloads",
          "Workloads that are not admitted, by the reasons in their conditions",
          "cluster_queue",
          "reason",
          "underlying_cause");
  private static final MetricDefinition RESERVATION =
      local("resource_reservation", "What is reserved; cpu in cores", "flavor", "resource");
  private static final MetricDefinition USAGE =
      local(
          "resource_usage",
          "What admitted Workloads have reserved; cpu in cores",
          "flavor",
          "resource");

  private static final MetricDefinition FAIR_USAGE =
      local(
          "admission_fair_sharing_usage",
          "The usage that orders the LocalQueue among those of its ClusterQueue",
          "cluster_queue");

  private final MetricSettings settings;

  LocalQueueMetrics(MetricSettings settings) {
    this.settings = settings;
  }

  private static MetricDefinition local(String name, String help, String... more) {
    String[] labels =
        Stream.concat(Stream.of("name", "namespace"), Stream.of(more)).toArray(String[]::new);
    return gauge("kueue_local_queue_" + name, help, labels);
  }

  /** Whether that LocalQueue is measured; a missing one is not. */
  boolean isMeasured(@Nullable LocalQueue queue) {
    return settings.localQueues()
        && queue != null
        && settings.localQueueSelector().matches(queue.metadata().labels());
  }

  void measure(Rows rows, Snapshot snapshot, QueueStats stats, Instant now) {
    for (LocalQueue queue : snapshot.localQueues()) {
      if (isMeasured(queue)) {
        measure(
            rows,
            snapshot,
            queue,
            stats.localQueue(ObjectKey.of(queue.metadata())),
            stats.labels());
        snapshot
            .fairUsage(queue, now)
            .ifPresent(usage -> rows.add(FAIR_USAGE, usage, labels(queue)));
      }
    }
  }

  private static String[] labels(LocalQueue queue) {
    String clusterQueue = String.valueOf(queue.spec().clusterQueue());
    return new String[] {queue.metadata().name(), queue.metadata().namespace(), clusterQueue};
  }

  private static void measure(
      Rows rows, Snapshot snapshot, LocalQueue queue, Load load, WorkloadLabels labels) {
    String name = queue.metadata().name();
    String namespace = queue.metadata().namespace();
    load.tell(
        labels,
        (tags, count) -> {
          rows.add(PENDING, count.active, tags, name, namespace, "active");
          rows.add(PENDING, count.inadmissible, tags, name, namespace, "inadmissible");
          rows.add(RESERVING, count.reserving, tags, name, namespace);
          rows.add(ADMITTED, count.admitted, tags, name, namespace);
        });
    rows.add(FINISHED, load.finished, name, namespace);
    String present = isActive(snapshot, queue) ? "True" : "False";
    for (String active : List.of("True", "False", "Unknown")) {
      rows.add(STATUS, active.equals(present) ? 1 : 0, name, namespace, active);
    }
    load.unadmitted.forEach(
        (why, count) ->
            rows.add(
                UNADMITTED, count, name, namespace, why.clusterQueue(), why.reason(), why.cause()));
    Set<FlavorResource> pairs = new TreeSet<>(load.held.reserved().keySet());
    pairs.addAll(declared(snapshot, queue));
    for (FlavorResource pair : pairs) {
      String[] values = {name, namespace, pair.flavor(), pair.resource()};
      rows.add(RESERVATION, Cores.of(pair.resource(), load.held.reserved(pair)), values);
      rows.add(USAGE, Cores.of(pair.resource(), load.held.used(pair)), values);
    }
  }

  private static boolean isActive(Snapshot snapshot, LocalQueue queue) {
    String clusterQueue = queue.spec().clusterQueue();
    return queue.spec().stopPolicy() == StopPolicy.NONE
        && clusterQueue != null
        && snapshot.hasClusterQueue(clusterQueue)
        && snapshot.inactivity(clusterQueue).isEmpty();
  }

  private static List<FlavorResource> declared(Snapshot snapshot, LocalQueue queue) {
    String name = queue.spec().clusterQueue();
    ClusterQueue clusterQueue = name == null ? null : snapshot.clusterQueue(name);
    return clusterQueue == null
        ? List.of()
        : clusterQueue.spec().resourceGroups().stream()
            .flatMap(group -> group.flavors().stream())
            .flatMap(
                flavor ->
                    flavor.resources().stream()
                        .map(it -> new FlavorResource(flavor.name(), it.name())))
            .toList();
  }
}
