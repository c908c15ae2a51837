package dev.sluice.multicluster.controller;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.multicluster.protocol.Memory;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the Workloads that are temporarily not offered to each worker, by cause. A Workload is
 * planned again when that time is over, which updates the count. Thread-safe, if each Workload is
 * noted by one thread at a time.
 */
final class LeftOutCounts {
  private record Reason(String cluster, Memory.Cause cause) {}

  private final Map<ObjectKey, Set<Reason>> workloads = new ConcurrentHashMap<>();
  private final Map<Reason, Integer> counts = new ConcurrentHashMap<>();

  /** Counts a Workload as its plan left it. */
  void note(ObjectKey workload, Memory memory, Instant now) {
    Set<Reason> reasons = new HashSet<>();
    memory
        .leftOut()
        .forEach(
            (cluster, it) -> {
              if (now.isBefore(it.until())) {
                reasons.add(new Reason(cluster, it.cause()));
              }
            });
    Set<Reason> before =
        reasons.isEmpty() ? workloads.remove(workload) : workloads.put(workload, reasons);
    if (before != null) {
      before.forEach(it -> counts.merge(it, -1, Integer::sum));
    }
    reasons.forEach(it -> counts.merge(it, 1, Integer::sum));
  }

  /** The Workload is not planned any more. */
  void forget(ObjectKey workload) {
    note(workload, Memory.NONE, Instant.EPOCH);
  }

  int count(String cluster, Memory.Cause cause) {
    return counts.getOrDefault(new Reason(cluster, cause), 0);
  }
}
