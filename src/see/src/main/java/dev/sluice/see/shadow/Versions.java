package dev.sluice.see.shadow;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.world.WorkloadState;
import org.jspecify.annotations.Nullable;

/** What a version of a Workload says about decisions. */
final class Versions {
  private Versions() {}

  /** The quota that it has, or had to its end; null for none. */
  static @Nullable Admission reserved(Workload workload) {
    return workload.status().isTrue(ConditionTypes.QUOTA_RESERVED)
        ? workload.status().admission()
        : null;
  }

  /** The condition that it was preempted, or null. */
  static @Nullable Condition preempted(Workload workload) {
    return workload
        .status()
        .condition(ConditionTypes.EVICTED)
        .filter(it -> it.status() == ConditionStatus.TRUE)
        .filter(it -> it.reason().equals(ConditionTypes.PREEMPTED))
        .orElse(null);
  }

  /** Whether it is evicted for another reason. */
  static boolean evictedOtherwise(Workload workload) {
    return workload.status().isTrue(ConditionTypes.EVICTED) && preempted(workload) == null;
  }

  /** Whether the version before had the condition of that type with the same transition. */
  static boolean isKnown(@Nullable WorkloadState before, Condition seen, String type) {
    Condition known = before == null ? null : before.condition(type);
    return known != null
        && known.status() == seen.status()
        && known.lastTransitionTime().equals(seen.lastTransitionTime());
  }

  /** Whether its reservation is not new. */
  static boolean holdsSince(WorkloadState before, Workload workload) {
    Condition seen = workload.status().condition(ConditionTypes.QUOTA_RESERVED).orElseThrow();
    return isKnown(before, seen, ConditionTypes.QUOTA_RESERVED);
  }

  /**
   * Why its new reservation cannot be compared; empty if it can.
   *
   * @param queue the ClusterQueue of the reservation
   * @param snapshot the state before it
   */
  static String problem(
      @Nullable WorkloadState before, Workload workload, String queue, Snapshot snapshot) {
    if (before == null) {
      return "it was not seen before it had quota";
    } else if (before.holdsQuota()) {
      return "its former reservation was not seen to end";
    } else if (!before.workload().spec().equals(workload.spec())) {
      return "its spec changed at the same time";
    } else if (workload.status().isTrue(ConditionTypes.FINISHED)) {
      return "it was not seen before it finished";
    } else if (!queue.equals(snapshot.queueFor(before))) {
      return "its LocalQueue names another ClusterQueue";
    }
    return "";
  }
}
