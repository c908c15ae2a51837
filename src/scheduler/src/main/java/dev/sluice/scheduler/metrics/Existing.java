package dev.sluice.scheduler.metrics;

import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.TreeShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The existing and measured queues and Cohorts: all other series belong to deleted ones. */
final class Existing {
  /** The object that a series is about. */
  record Subject(ApiKind kind, ObjectKey key) {}

  private final Snapshot snapshot;
  private final LocalQueueMetrics localQueues;
  private final Set<String> cohorts = new HashSet<>();

  private Existing(Snapshot snapshot, LocalQueueMetrics localQueues) {
    this.snapshot = snapshot;
    this.localQueues = localQueues;
  }

  /**
   * Those in the snapshot.
   *
   * @param localQueues which of them are measured
   */
  static Existing in(Snapshot snapshot, LocalQueueMetrics localQueues) {
    Existing existing = new Existing(snapshot, localQueues);
    for (QuotaTree tree : snapshot.shownTrees()) {
      TreeShape shape = tree.shape();
      for (int node = 0; node < shape.size(); node++) {
        if (!shape.isQueue(node)) {
          existing.cohorts.add(shape.name(node).name());
        }
      }
    }
    return existing;
  }

  /** Whether the series is about an object that does not exist. */
  boolean lacks(MetricDefinition definition, List<String> values) {
    return subjects(definition, values).stream().anyMatch(it -> !has(it));
  }

  private boolean has(Subject subject) {
    String name = subject.key().name();
    return switch (subject.kind()) {
      case CLUSTER_QUEUE -> snapshot.hasClusterQueue(name);
      case LOCAL_QUEUE -> localQueues.isMeasured(snapshot.localQueue(subject.key()));
      case COHORT -> cohorts.contains(name);
      default -> true;
    };
  }

  /** The objects that the labels of the series name; an empty label names none. */
  static List<Subject> subjects(MetricDefinition definition, List<String> values) {
    List<Subject> subjects = new ArrayList<>();
    int namespace = definition.index("namespace");
    if (namespace >= 0) {
      var key = new ObjectKey(values.get(namespace), values.get(definition.index("name")));
      subjects.add(new Subject(ApiKind.LOCAL_QUEUE, key));
    }
    add(subjects, ApiKind.CLUSTER_QUEUE, definition.index("cluster_queue"), values);
    add(subjects, ApiKind.CLUSTER_QUEUE, definition.index("preempting_cluster_queue"), values);
    add(subjects, ApiKind.COHORT, definition.index("cohort"), values);
    return subjects;
  }

  private static void add(List<Subject> subjects, ApiKind kind, int index, List<String> values) {
    if (index >= 0 && !values.get(index).isEmpty()) {
      subjects.add(new Subject(kind, new ObjectKey("", values.get(index))));
    }
  }
}
