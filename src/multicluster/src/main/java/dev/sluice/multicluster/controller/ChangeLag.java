package dev.sluice.multicluster.controller;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.multicluster.protocol.Plan;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Measures the time from a change on a worker to its first write here. Thread-safe. */
final class ChangeLag {
  private final WorkerMetrics metrics;
  private final Map<ObjectKey, RemoteChange> changes = new ConcurrentHashMap<>();

  /** What happened on a worker first, since the Workload was planned the last time. */
  record RemoteChange(String cluster, long nanoTime) {}

  ChangeLag(WorkerMetrics metrics) {
    this.metrics = metrics;
  }

  void changed(String cluster, ObjectKey workload) {
    changes.putIfAbsent(workload, new RemoteChange(cluster, System.nanoTime()));
  }

  /** The change that a plan which begins now answers; null if there is none. */
  @Nullable RemoteChange unanswered(ObjectKey workload) {
    return changes.get(workload);
  }

  /** A change is answered by the first write here; until then it may take several looks. */
  void planned(ObjectKey workload, @Nullable RemoteChange change, Plan plan) {
    if (change == null) {
      return;
    }
    if (!plan.local().isEmpty()) {
      metrics.lag(change.cluster(), Duration.ofNanos(System.nanoTime() - change.nanoTime()));
    }
    if (!plan.local().isEmpty() || plan.isAtRest()) {
      changes.remove(workload, change);
    }
  }

  void forget(ObjectKey workload) {
    changes.remove(workload);
  }
}
