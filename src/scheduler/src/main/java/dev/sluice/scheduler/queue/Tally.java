package dev.sluice.scheduler.queue;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.world.WorkloadState;
import java.util.HashMap;
import java.util.Map;

/**
 * The pending Workloads, the Workloads with quota and the amounts of each queue, counted in one
 * pass.
 */
final class Tally {
  /** What one queue has. */
  static final class Count {
    private static final Count NOTHING = new Count();

    int pending;
    final Holdings held = new Holdings();

    /** Whether the numbers are the same. */
    boolean isAs(Count other) {
      return this == other || (pending == other.pending && held.isAs(other.held));
    }
  }

  private final Map<String, Count> clusterQueues = new HashMap<>();
  private final Map<ObjectKey, Count> localQueues = new HashMap<>();

  static Tally of(Snapshot snapshot) {
    Tally tally = new Tally();
    for (WorkloadState workload : snapshot.workloads()) {
      tally.add(snapshot, workload);
    }
    return tally;
  }

  private void add(Snapshot snapshot, WorkloadState workload) {
    if (!workload.holdsQuota() && !workload.admissible()) {
      return; // most of them, in the end: they are finished
    }
    ObjectKey localQueue = workload.localQueue();
    if (workload.holdsQuota()) {
      clusterQueues.computeIfAbsent(workload.reservedIn(), _ -> new Count()).held.add(workload);
      if (localQueue != null) {
        localQueues.computeIfAbsent(localQueue, _ -> new Count()).held.add(workload);
      }
    } else if (localQueue != null) {
      String clusterQueue = snapshot.queueFor(workload);
      if (clusterQueue != null) {
        clusterQueues.computeIfAbsent(clusterQueue, _ -> new Count()).pending++;
        localQueues.computeIfAbsent(localQueue, _ -> new Count()).pending++;
      }
    }
  }

  Count clusterQueue(String name) {
    return clusterQueues.getOrDefault(name, Count.NOTHING);
  }

  Count localQueue(ObjectKey key) {
    return localQueues.getOrDefault(key, Count.NOTHING);
  }
}
