package dev.sluice.scheduler.engine;

import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.inventory.Inactivity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Why each ClusterQueue is inactive, at one moment.
 *
 * @param reasons by the name of the ClusterQueue; none for an active one
 */
record QueueActivity(Map<String, List<Inactivity>> reasons) {
  /** Of no ClusterQueue. */
  static final QueueActivity NONE = new QueueActivity(Map.of());

  /**
   * Objects that change with each job, and never make a ClusterQueue active or inactive: comparing
   * all ClusterQueues after each of their changes costs much where there are thousands of them.
   */
  private static final Set<ObjectKind<?>> UNREAD =
      Set.of(ObjectKind.WORKLOAD, ObjectKind.POD, ObjectKind.NODE);

  /** Whether an object of that kind can make a ClusterQueue active or inactive. */
  static boolean dependsOn(ObjectKind<?> kind) {
    return !UNREAD.contains(kind);
  }

  static QueueActivity of(Snapshot snapshot) {
    Map<String, List<Inactivity>> reasons = new HashMap<>();
    for (String queue : snapshot.clusterQueues()) {
      reasons.put(queue, snapshot.inactivity(queue));
    }
    return new QueueActivity(reasons);
  }

  /** The ClusterQueues that came or went since, or whose reasons changed. */
  Set<String> changesTo(QueueActivity later) {
    Set<String> changed = new TreeSet<>();
    Set<String> all = new TreeSet<>(reasons.keySet());
    all.addAll(later.reasons.keySet());
    for (String queue : all) {
      List<Inactivity> now = later.reasons.get(queue);
      if (now == null || !now.equals(reasons.get(queue))) {
        changed.add(queue);
      }
    }
    return changed;
  }
}
