package dev.sluice.api.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.EVICTED;
import static dev.sluice.api.vocabulary.ConditionTypes.FINISHED;
import static dev.sluice.api.vocabulary.ConditionTypes.QUOTA_RESERVED;
import static dev.sluice.api.vocabulary.ConditionTypes.REQUEUED;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * The transitions of a Workload's status, each with the conditions and members that belong
 * together. Code that carries a transition over to a newer status carries all of it or none of it:
 * else a condition can stand there without the members that it is about. This is the only place
 * that knows which belong to which.
 */
public enum StatusTransition {
  /** It gets quota, other places, or the admission that its quota allows. */
  RESERVE,
  /** It releases its quota, or gets another pending reason. */
  UNRESERVE,
  /** It has to stop its pods; checks and gates begin again. */
  EVICT,
  /** It may be queued again, or has to wait for that. */
  REQUEUE,
  /** It is finished. */
  FINISH;

  /** The members of a status besides its conditions. */
  public enum Member {
    ADMISSION,
    ADMISSION_CHECKS,
    REQUEUE_STATE,
    RECLAIMABLE_PODS,
    RESOURCE_REQUESTS,
    PREEMPTION_GATES,
    ACCUMULATED_PAST_EXECUTION_TIME_SECONDS,
    SCHEDULING_STATS,
    NOMINATED_CLUSTER_NAMES,
    CLUSTER_NAME,
    UNHEALTHY_NODES
  }

  /** The transitions that lead from one status to another, in the order of this enumeration. */
  public static Set<StatusTransition> between(WorkloadStatus before, WorkloadStatus after) {
    Set<StatusTransition> found = EnumSet.noneOf(StatusTransition.class);
    for (StatusTransition transition : values()) {
      if (transition.leads(before, after)) {
        found.add(transition);
      }
    }
    return found;
  }

  private boolean leads(WorkloadStatus before, WorkloadStatus after) {
    return switch (this) {
      case RESERVE -> changesReservation(before, after) && after.isTrue(QUOTA_RESERVED);
      case UNRESERVE -> changesReservation(before, after) && !after.isTrue(QUOTA_RESERVED);
      case EVICT -> changes(EVICTED, before, after) && after.isTrue(EVICTED);
      case REQUEUE -> changes(REQUEUED, before, after);
      case FINISH -> changes(FINISHED, before, after);
    };
  }

  private static boolean changesReservation(WorkloadStatus before, WorkloadStatus after) {
    return changes(QUOTA_RESERVED, before, after)
        || changes(ADMITTED, before, after)
        || !Objects.equals(before.admission(), after.admission());
  }

  /** Whether the condition of that type belongs to it. */
  public boolean has(String condition) {
    return switch (this) {
      case RESERVE, UNRESERVE -> condition.equals(QUOTA_RESERVED) || condition.equals(ADMITTED);
      case EVICT -> condition.equals(EVICTED);
      case REQUEUE -> condition.equals(REQUEUED);
      case FINISH -> condition.equals(FINISHED);
    };
  }

  /** Whether the member belongs to it. */
  public boolean has(Member member) {
    return switch (member) {
      case ADMISSION -> this == RESERVE || this == UNRESERVE;
      case RESOURCE_REQUESTS -> this == RESERVE; // they stand there while quota is waited for
      case REQUEUE_STATE -> this == REQUEUE;
      case ADMISSION_CHECKS,
          PREEMPTION_GATES,
          SCHEDULING_STATS,
          NOMINATED_CLUSTER_NAMES,
          CLUSTER_NAME,
          UNHEALTHY_NODES ->
          this == EVICT;
      case RECLAIMABLE_PODS, ACCUMULATED_PAST_EXECUTION_TIME_SECONDS -> false; // each for itself
    };
  }

  private static boolean changes(String type, WorkloadStatus before, WorkloadStatus after) {
    return !before.condition(type).equals(after.condition(type));
  }
}
