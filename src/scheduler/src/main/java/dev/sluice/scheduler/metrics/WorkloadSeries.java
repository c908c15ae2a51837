package dev.sluice.scheduler.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.TreeShape;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The series of one Workload: of its ClusterQueue, of its LocalQueue, of its Cohorts. */
final class WorkloadSeries {
  private final Recorder recorder;
  private final Snapshot snapshot;
  private final String clusterQueue;
  private final ObjectKey localQueue;
  private final boolean isLocalMeasured;
  private final String priority;

  WorkloadSeries(
      Recorder recorder,
      LocalQueueMetrics localQueues,
      Snapshot snapshot,
      JsonNode before,
      JsonNode after) {
    this.recorder = recorder;
    this.snapshot = snapshot;
    this.localQueue =
        new ObjectKey(
            after.path("metadata").path("namespace").asText(),
            after.path("spec").path("queueName").asText());
    LocalQueue queue = snapshot.localQueue(localQueue);
    this.isLocalMeasured = localQueues.isMeasured(queue);
    this.clusterQueue =
        admittedTo(after).or(() -> admittedTo(before)).orElseGet(() -> leadsTo(queue));
    this.priority = after.path("spec").path("priorityClassRef").path("name").asText();
  }

  private static Optional<String> admittedTo(JsonNode workload) {
    JsonNode name = workload.path("status").path("admission").path("clusterQueue");
    return name.isTextual() ? Optional.of(name.asText()) : Optional.empty();
  }

  private static String leadsTo(@Nullable LocalQueue queue) {
    String name = queue == null ? null : queue.spec().clusterQueue();
    return name == null ? "" : name;
  }

  /**
   * The ClusterQueue of its reservation, also a former one, else the one in which it is pending;
   * empty for none.
   */
  String clusterQueue() {
    return clusterQueue;
  }

  void count(WorkloadMetricDefinitions.Pair families, String... more) {
    count(families, List.of(), more);
  }

  /** Counts by what labels say that are taken from the Workload, too. */
  void countTagged(WorkloadMetricDefinitions.Pair families, List<String> tags) {
    count(families, tags, new String[0]);
  }

  private void count(WorkloadMetricDefinitions.Pair families, List<String> tags, String... more) {
    recorder.count(families.clusterQueue(), labels(List.of(clusterQueue), tags, more));
    if (isLocalMeasured) {
      List<String> queue = List.of(localQueue.name(), localQueue.namespace());
      recorder.count(families.localQueue(), labels(queue, tags, more));
    }
  }

  void count(MetricDefinition definition, String... more) {
    recorder.count(definition, labels(List.of(clusterQueue), List.of(), more));
  }

  void time(WorkloadMetricDefinitions.Pair families, Optional<Instant> from, Optional<Instant> to) {
    if (from.isEmpty() || to.isEmpty()) {
      return;
    }
    Duration time = Duration.between(from.get(), to.get());
    recorder.time(families.clusterQueue(), time, clusterQueue, priority);
    if (isLocalMeasured) {
      recorder.time(
          families.localQueue(), time, localQueue.name(), localQueue.namespace(), priority);
    }
  }

  private String[] labels(List<String> queue, List<String> tags, String... more) {
    List<String> all = new ArrayList<>(queue);
    all.addAll(List.of(more));
    all.add(priority);
    all.addAll(tags);
    return all.toArray(String[]::new);
  }

  /** In each Cohort above its ClusterQueue. */
  void countInCohorts() {
    QuotaTree tree = snapshot.treeOf(clusterQueue);
    if (tree == null) {
      return;
    }
    TreeShape shape = tree.shape();
    int node = shape.node(NodeName.clusterQueue(clusterQueue));
    for (int up = shape.parent(node); up != TreeShape.NOWHERE; up = shape.parent(up)) {
      recorder.count(WorkloadMetricDefinitions.COHORT_ADMITTED, shape.name(up).name(), priority);
    }
  }
}
