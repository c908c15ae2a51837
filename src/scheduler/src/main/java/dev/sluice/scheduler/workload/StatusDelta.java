package dev.sluice.scheduler.workload;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.workload.StatusTransition;
import dev.sluice.api.workload.StatusTransition.Member;
import dev.sluice.api.workload.WorkloadStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Applies the changes between two statuses to a third. A {@link StatusTransition} is applied
 * completely, whatever the third contains; for everything else, concurrent writes are kept, by
 * condition and by member.
 */
final class StatusDelta {
  private final WorkloadStatus before;
  private final WorkloadStatus after;
  private final WorkloadStatus onto;
  private final Set<StatusTransition> transitions;

  private StatusDelta(WorkloadStatus before, WorkloadStatus after, WorkloadStatus onto) {
    this.before = before;
    this.after = after;
    this.onto = onto;
    this.transitions = StatusTransition.between(before, after);
  }

  static WorkloadStatus carry(WorkloadStatus before, WorkloadStatus after, WorkloadStatus onto) {
    return new StatusDelta(before, after, onto).carried();
  }

  private WorkloadStatus carried() {
    return new WorkloadStatus(
        conditions(),
        pick(Member.ADMISSION, WorkloadStatus::admission),
        must(Member.ADMISSION_CHECKS, WorkloadStatus::admissionChecks),
        pick(Member.REQUEUE_STATE, WorkloadStatus::requeueState),
        must(Member.RECLAIMABLE_PODS, WorkloadStatus::reclaimablePods),
        must(Member.RESOURCE_REQUESTS, WorkloadStatus::resourceRequests),
        must(Member.PREEMPTION_GATES, WorkloadStatus::preemptionGates),
        pick(
            Member.ACCUMULATED_PAST_EXECUTION_TIME_SECONDS,
            WorkloadStatus::accumulatedPastExecutionTimeSeconds),
        pick(Member.SCHEDULING_STATS, WorkloadStatus::schedulingStats),
        must(Member.NOMINATED_CLUSTER_NAMES, WorkloadStatus::nominatedClusterNames),
        pick(Member.CLUSTER_NAME, WorkloadStatus::clusterName),
        must(Member.UNHEALTHY_NODES, WorkloadStatus::unhealthyNodes));
  }

  private boolean belongs(Member member) {
    return transitions.stream().anyMatch(it -> it.has(member));
  }

  private boolean belongs(String condition) {
    return transitions.stream().anyMatch(it -> it.has(condition));
  }

  private <T> @Nullable T pick(Member member, Function<WorkloadStatus, @Nullable T> read) {
    return belongs(member) || !Objects.equals(read.apply(before), read.apply(after))
        ? read.apply(after)
        : read.apply(onto);
  }

  private <T> T must(Member member, Function<WorkloadStatus, T> read) {
    return belongs(member) || !read.apply(before).equals(read.apply(after))
        ? read.apply(after)
        : read.apply(onto);
  }

  private List<Condition> conditions() {
    List<Condition> carried = new ArrayList<>(onto.conditions());
    for (Condition condition : after.conditions()) {
      if (belongs(condition.type()) || !before.conditions().contains(condition)) {
        put(carried, condition);
      }
    }
    carried.removeIf(it -> isTakenAway(it.type()));
    return carried;
  }

  private boolean isTakenAway(String type) {
    return !has(after, type) && (belongs(type) || has(before, type));
  }

  private static boolean has(WorkloadStatus status, String type) {
    return status.conditions().stream().anyMatch(it -> it.type().equals(type));
  }

  private static void put(List<Condition> conditions, Condition condition) {
    for (int i = 0; i < conditions.size(); i++) {
      if (conditions.get(i).type().equals(condition.type())) {
        conditions.set(i, condition);
        return;
      }
    }
    conditions.add(condition);
  }
}
