package dev.sluice.scheduler.workload;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.workload.PodSetRequest;
import dev.sluice.api.workload.WorkloadStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What changes from one status to another, carried over to a third: what others wrote meanwhile
 * stays, condition by condition and member by member.
 */
final class StatusDelta {
  private final WorkloadStatus before;
  private final WorkloadStatus after;
  private final WorkloadStatus onto;

  private StatusDelta(WorkloadStatus before, WorkloadStatus after, WorkloadStatus onto) {
    this.before = before;
    this.after = after;
    this.onto = onto;
  }

  static WorkloadStatus carry(WorkloadStatus before, WorkloadStatus after, WorkloadStatus onto) {
    return new StatusDelta(before, after, onto).carried();
  }

  private WorkloadStatus carried() {
    return new WorkloadStatus(
        conditions(),
        pick(WorkloadStatus::admission),
        must(WorkloadStatus::admissionChecks),
        pick(WorkloadStatus::requeueState),
        must(WorkloadStatus::reclaimablePods),
        resourceRequests(),
        must(WorkloadStatus::preemptionGates),
        pick(WorkloadStatus::accumulatedPastExecutionTimeSeconds),
        pick(WorkloadStatus::schedulingStats),
        must(WorkloadStatus::nominatedClusterNames),
        pick(WorkloadStatus::clusterName),
        must(WorkloadStatus::unhealthyNodes));
  }

  /**
   * What is asked for stands there while it is waited for; what is told late ends it all the same.
   */
  private List<PodSetRequest> resourceRequests() {
    return before.admission() == null && after.admission() != null
        ? after.resourceRequests()
        : must(WorkloadStatus::resourceRequests);
  }

  private <T> @Nullable T pick(Function<WorkloadStatus, @Nullable T> member) {
    return Objects.equals(member.apply(before), member.apply(after))
        ? member.apply(onto)
        : member.apply(after);
  }

  private <T> T must(Function<WorkloadStatus, T> member) {
    return member.apply(before).equals(member.apply(after))
        ? member.apply(onto)
        : member.apply(after);
  }

  private List<Condition> conditions() {
    List<Condition> carried = new ArrayList<>(onto.conditions());
    for (Condition condition : after.conditions()) {
      if (!before.conditions().contains(condition)) {
        put(carried, condition);
      }
    }
    for (Condition condition : before.conditions()) {
      if (after.conditions().stream().noneMatch(c -> c.type().equals(condition.type()))) {
        carried.removeIf(c -> c.type().equals(condition.type()));
      }
    }
    return carried;
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
