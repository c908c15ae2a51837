package dev.sluice.api.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.BLOCKED_ON_PREEMPTION_GATES;
import static dev.sluice.api.vocabulary.ConditionTypes.EVICTED;
import static dev.sluice.api.vocabulary.ConditionTypes.FINISHED;
import static dev.sluice.api.vocabulary.ConditionTypes.PREEMPTED;
import static dev.sluice.api.vocabulary.ConditionTypes.QUOTA_RESERVED;
import static dev.sluice.api.vocabulary.ConditionTypes.REQUEUED;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.Messages;
import dev.sluice.api.vocabulary.Reasons;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes the status of one Workload at one moment. Each transition of {@link StatusTransition} is
 * one method here, and nowhere else, so that engine, controllers and simulator write the same
 * conditions and members for it. For one thread.
 */
public final class StatusEditor {
  private static final List<String> ENDED_BY_RESERVATION =
      List.of(EVICTED, PREEMPTED, BLOCKED_ON_PREEMPTION_GATES);

  private static final String OUT_OF_TIME =
      Reasons.DEACTIVATED + Reasons.DUE_TO + Reasons.MAXIMUM_EXECUTION_TIME_EXCEEDED;

  private final WorkloadStatus before;
  private final @Nullable Long generation;
  private final StatusDetail detail;
  private final Instant now;
  private final WorkloadStatus.Builder status;
  private List<Condition> conditions;
  private List<AdmissionCheckState> checks;
  private @Nullable Integer accumulated;

  /** Begins with the status that the Workload has. */
  public StatusEditor(Workload workload, StatusDetail detail, Instant now) {
    this(workload.status(), workload.metadata().generation(), detail, now);
  }

  /**
   * Begins with that status.
   *
   * @param generation that of the Workload, at which conditions are observed; null in files
   */
  public StatusEditor(
      WorkloadStatus before, @Nullable Long generation, StatusDetail detail, Instant now) {
    this.before = before;
    this.generation = generation;
    this.detail = detail;
    this.now = now;
    this.status = before.toBuilder();
    this.conditions = before.conditions();
    this.checks = before.admissionChecks();
    this.accumulated = before.accumulatedPastExecutionTimeSeconds();
  }

  /** Sets a condition; the time of its last transition changes only with its status. */
  public StatusEditor set(String type, boolean value, String reason, String message) {
    conditions =
        Conditions.with(
            conditions,
            new Condition(
                type,
                value ? ConditionStatus.TRUE : ConditionStatus.FALSE,
                generation,
                now,
                reason,
                Messages.cut(message)));
    return this;
  }

  /** Removes the condition of that type. */
  public StatusEditor without(String type) {
    conditions = conditions.stream().filter(it -> !it.type().equals(type)).toList();
    return this;
  }

  public StatusEditor checks(List<AdmissionCheckState> listed) {
    checks = listed;
    return this;
  }

  public StatusEditor requeueState(@Nullable RequeueState state) {
    status.requeueState(state);
    return this;
  }

  public StatusEditor accumulated(@Nullable Integer seconds) {
    accumulated = seconds;
    return this;
  }

  public StatusEditor resourceRequests(List<PodSetRequest> requests) {
    status.resourceRequests(requests);
    return this;
  }

  public StatusEditor unhealthyNodes(List<UnhealthyNode> nodes) {
    status.unhealthyNodes(nodes);
    return this;
  }

  /** Removes the admission; it names no ClusterQueue then. */
  public StatusEditor withoutAdmission() {
    status.admission(null);
    return this;
  }

  /** It holds the quota of this admission; traces of an eviction are removed. */
  public StatusEditor reserve(Admission admission) {
    String message = "Quota reserved in ClusterQueue " + admission.clusterQueue();
    set(QUOTA_RESERVED, true, QUOTA_RESERVED, message);
    for (String type : ENDED_BY_RESERVATION) {
      Conditions.find(conditions, type)
          .filter(old -> old.status() == ConditionStatus.TRUE)
          .ifPresent(old -> set(type, false, QUOTA_RESERVED, "Previously: " + old.message()));
    }
    status.admission(admission);
    return resourceRequests(List.of()).unhealthyNodes(List.of());
  }

  /** Its job may run. */
  public StatusEditor admit() {
    return Conditions.isTrue(conditions, ADMITTED) && !detail.tellsAnew()
        ? this
        : set(ADMITTED, true, ADMITTED, "The workload is admitted");
  }

  /** It holds quota and waits for answers of its checks. */
  public StatusEditor awaitChecks() {
    return notAdmitted(detail.unsatisfied(), "The workload has not all checks ready");
  }

  /** It holds quota and waits for its places. */
  public StatusEditor awaitPlacement() {
    return notAdmitted(
        Reasons.PENDING_DELAYED_TOPOLOGY_REQUESTS, "There are pending delayed topology requests");
  }

  /**
   * Releases the quota, or updates the pending reason. For a Workload whose pods do not run.
   *
   * @param reason as {@link #pending} takes it
   */
  public StatusEditor giveBack(String reason, String message) {
    return withoutAdmission().pending(reason, message);
  }

  /**
   * It has no quota, for that reason; its admission, if there is one, stays. The time that it ran
   * is added up.
   *
   * @param reason a {@link dev.sluice.api.vocabulary.PendingReason}, or what {@link StatusDetail}
   *     made of one
   */
  public StatusEditor pending(String reason, String message) {
    return set(QUOTA_RESERVED, false, detail.notLookedAt(reason), message).notAdmitted();
  }

  /** It may not run, since it has no quota; the time that it ran is added up. */
  public StatusEditor notAdmitted() {
    boolean ready = checks.stream().allMatch(check -> check.state() == CheckState.READY);
    return notAdmitted(detail.noReservation(ready), "The workload has no reservation");
  }

  private StatusEditor notAdmitted(String reason, String message) {
    Optional<Condition> was =
        before.condition(ADMITTED).filter(condition -> condition.status() == ConditionStatus.TRUE);
    was.ifPresent(condition -> addTimeSince(condition.lastTransitionTime()));
    return was.isPresent() || detail.tellsAnew() ? set(ADMITTED, false, reason, message) : this;
  }

  /** A Workload that used up its time may run for the whole time again once it is reactivated. */
  private void addTimeSince(Instant admitted) {
    boolean isUsedUp =
        before
            .condition(EVICTED)
            .filter(it -> it.status() == ConditionStatus.TRUE && it.reason().equals(OUT_OF_TIME))
            .isPresent();
    if (isUsedUp) {
      return;
    }
    long ran = Math.max(0, Duration.between(admitted, now).toSeconds());
    long sum = (accumulated == null ? 0 : accumulated) + ran;
    accumulated = (int) Math.min(sum, Integer.MAX_VALUE); // anybody may store a date of year 0
  }

  /**
   * Its job has to stop; it keeps its quota until the pods are gone.
   *
   * @param reason the reason of the condition
   * @param kind how the eviction is counted, with the cause
   * @param cause what lies behind that kind; empty where nothing does
   */
  public StatusEditor evict(String reason, String kind, String cause, String message) {
    set(EVICTED, true, reason, message);
    if (Conditions.isTrue(conditions, BLOCKED_ON_PREEMPTION_GATES)) {
      set(BLOCKED_ON_PREEMPTION_GATES, false, reason, message);
    }
    checks = EvictionTraces.reset(checks, now);
    status
        .preemptionGates(EvictionTraces.closed(before.preemptionGates(), now))
        .schedulingStats(EvictionTraces.counted(before.schedulingStats(), kind, cause))
        .nominatedClusterNames(List.of())
        .clusterName(null)
        .unhealthyNodes(List.of());
    return this;
  }

  /** Whether it may be queued again after an eviction, and why. */
  public StatusEditor requeue(boolean may, String reason, String message) {
    return set(REQUEUED, may, reason, message);
  }

  /** It is finished; its quota is free. */
  public StatusEditor finish(String reason, String message) {
    return set(FINISHED, true, reason, message);
  }

  /** The status with all changes. */
  public WorkloadStatus build() {
    return status
        .conditions(conditions)
        .admissionChecks(checks)
        .accumulatedPastExecutionTimeSeconds(accumulated)
        .build();
  }
}
