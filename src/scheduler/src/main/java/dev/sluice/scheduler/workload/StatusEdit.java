package dev.sluice.scheduler.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.BLOCKED_ON_PREEMPTION_GATES;
import static dev.sluice.api.vocabulary.ConditionTypes.EVICTED;
import static dev.sluice.api.vocabulary.ConditionTypes.QUOTA_RESERVED;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.Messages;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.EvictionTraces;
import dev.sluice.api.workload.PreemptionGateState;
import dev.sluice.api.workload.RequeueState;
import dev.sluice.api.workload.SchedulingStats;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.UnhealthyNode;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A status while it is changed, at one moment. For one thread. */
final class StatusEdit {
  private final Workload workload;
  private final StatusDetail telling;
  private final Instant now;
  private final List<Condition> conditions;
  private List<AdmissionCheckState> checks;
  private List<PreemptionGateState> gates;
  private @Nullable RequeueState requeueState;
  private @Nullable SchedulingStats stats;
  private @Nullable Integer accumulated;
  private List<UnhealthyNode> unhealthyNodes;
  private @Nullable Admission admission;
  private boolean evicted;

  StatusEdit(Workload workload, StatusDetail telling, Instant now) {
    WorkloadStatus status = workload.status();
    this.workload = workload;
    this.telling = telling;
    this.now = now;
    this.conditions = new ArrayList<>(status.conditions());
    this.checks = status.admissionChecks();
    this.gates = status.preemptionGates();
    this.requeueState = status.requeueState();
    this.stats = status.schedulingStats();
    this.accumulated = status.accumulatedPastExecutionTimeSeconds();
    this.unhealthyNodes = status.unhealthyNodes();
    this.admission = status.admission();
  }

  static Optional<Condition> find(Workload workload, String type) {
    return workload.status().conditions().stream().filter(c -> c.type().equals(type)).findFirst();
  }

  static boolean isTrue(Workload workload, String type) {
    return find(workload, type).filter(c -> c.status() == ConditionStatus.TRUE).isPresent();
  }

  /** Sets the condition; its time changes only with its status. */
  StatusEdit set(String type, boolean value, String reason, String message) {
    ConditionStatus status = value ? ConditionStatus.TRUE : ConditionStatus.FALSE;
    for (int i = 0; i < conditions.size(); i++) {
      Condition old = conditions.get(i);
      if (old.type().equals(type)) {
        Instant since = old.status() == status ? old.lastTransitionTime() : now;
        conditions.set(i, condition(type, status, since, reason, message));
        return this;
      }
    }
    conditions.add(condition(type, status, now, reason, message));
    return this;
  }

  private Condition condition(
      String type, ConditionStatus status, Instant since, String reason, String message) {
    return new Condition(
        type, status, workload.metadata().generation(), since, reason, Messages.cut(message));
  }

  StatusEdit without(String type) {
    conditions.removeIf(c -> c.type().equals(type));
    return this;
  }

  StatusEdit checks(List<AdmissionCheckState> listed) {
    checks = listed;
    return this;
  }

  StatusEdit requeueState(@Nullable RequeueState state) {
    requeueState = state;
    return this;
  }

  StatusEdit accumulated(@Nullable Integer seconds) {
    accumulated = seconds;
    return this;
  }

  StatusEdit unhealthyNodes(List<UnhealthyNode> nodes) {
    unhealthyNodes = nodes;
    return this;
  }

  /** It waits without what it was given. For one that does not run. */
  StatusEdit unreserved(String reason, String message) {
    return withoutAdmission().pending(reason, message);
  }

  /** It waits, for that reason; the time that it ran is added up. */
  StatusEdit pending(String reason, String message) {
    set(QUOTA_RESERVED, false, telling.notLookedAt(reason), message);
    return notAdmitted();
  }

  /** It names no ClusterQueue any more. */
  StatusEdit withoutAdmission() {
    admission = null;
    return this;
  }

  /** It may not run, since it has no quota; the time that it ran is added up. */
  StatusEdit notAdmitted() {
    boolean ready = checks.stream().allMatch(check -> check.state() == CheckState.READY);
    return notAdmitted(telling.noReservation(ready), "The workload has no reservation");
  }

  StatusEdit notAdmitted(String reason, String message) {
    Optional<Condition> was =
        find(workload, ADMITTED).filter(c -> c.status() == ConditionStatus.TRUE);
    was.ifPresent(
        c -> {
          long ran = Math.max(0, Duration.between(c.lastTransitionTime(), now).toSeconds());
          accumulated = (accumulated == null ? 0 : accumulated) + Math.toIntExact(ran);
        });
    return was.isPresent() || telling.tellsAnew() ? set(ADMITTED, false, reason, message) : this;
  }

  /**
   * It has to give way; it keeps what it holds until its pods are gone.
   *
   * @param reason as its condition says
   * @param kind how the eviction is counted, by kind and cause
   */
  StatusEdit evict(String reason, String kind, String cause, String message) {
    set(EVICTED, true, reason, message);
    conditions.stream()
        .filter(c -> c.type().equals(BLOCKED_ON_PREEMPTION_GATES))
        .filter(c -> c.status() == ConditionStatus.TRUE)
        .findFirst()
        .ifPresent(_ -> set(BLOCKED_ON_PREEMPTION_GATES, false, reason, message));
    checks = EvictionTraces.reset(checks, now);
    gates = EvictionTraces.closed(gates, now);
    stats = EvictionTraces.counted(stats, kind, cause);
    evicted = true;
    return this;
  }

  WorkloadStatus build() {
    WorkloadStatus old = workload.status();
    return new WorkloadStatus(
        conditions,
        admission,
        checks,
        requeueState,
        old.reclaimablePods(),
        old.resourceRequests(),
        gates,
        accumulated,
        stats,
        evicted ? List.of() : old.nominatedClusterNames(),
        evicted ? null : old.clusterName(),
        evicted ? List.of() : unhealthyNodes);
  }
}
