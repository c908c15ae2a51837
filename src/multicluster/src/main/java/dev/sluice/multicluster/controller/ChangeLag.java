package dev.sluice.multicluster.controller;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.multicluster.protocol.Plan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Measures the time from a change on a worker to its first write here. Thread-safe. */
final class ChangeLag {
  private final BiConsumer<String, Duration> record;

  /** At most one of each worker, the oldest one. */
  private final Map<ObjectKey, List<RemoteChange>> changes = new ConcurrentHashMap<>();

  /** What happened on a worker first, since the Workload was planned the last time. */
  record RemoteChange(String cluster, long nanoTime) {}

  /**
   * Has measured nothing yet.
   *
   * @param record is given the worker of a change and the time until it was written here
   */
  ChangeLag(BiConsumer<String, Duration> record) {
    this.record = record;
  }

  void changed(String cluster, ObjectKey workload) {
    RemoteChange change = new RemoteChange(cluster, System.nanoTime());
    changes.merge(
        workload,
        List.of(change),
        (known, _) ->
            known.stream().anyMatch(it -> it.cluster().equals(cluster))
                ? known
                : Stream.concat(known.stream(), Stream.of(change)).toList());
  }

  /** The changes that a plan which begins now answers. */
  List<RemoteChange> unanswered(ObjectKey workload) {
    return changes.getOrDefault(workload, List.of());
  }

  /** Changes are answered by the first write here; until then it may take several looks. */
  void planned(ObjectKey workload, List<RemoteChange> planned, Plan plan) {
    if (planned.isEmpty()) {
      return;
    }
    if (!plan.local().isEmpty()) {
      long now = System.nanoTime();
      planned.forEach(it -> record.accept(it.cluster(), Duration.ofNanos(now - it.nanoTime())));
    }
    if (!plan.local().isEmpty() || plan.isAtRest()) {
      changes.computeIfPresent(workload, (_, known) -> without(known, planned));
    }
  }

  private static @Nullable List<RemoteChange> without(
      List<RemoteChange> known, List<RemoteChange> planned) {
    List<RemoteChange> left = known.stream().filter(it -> !planned.contains(it)).toList();
    return left.isEmpty() ? null : left;
  }

  void forget(ObjectKey workload) {
    changes.remove(workload);
  }
}
