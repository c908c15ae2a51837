package dev.sluice.cli.world;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.UnhealthyNode;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadSpec;
import dev.sluice.api.workload.WorkloadStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What jobs and controllers do to a workload outside a cycle. Each step is a new workload; nothing
 * is changed in place.
 */
final class WorkloadLife {
  /** Evictions after which a workload may be admitted again at once. */
  private static final Set<String> BACK_AT_ONCE = Set.of("Preempted", "NodeFailures");

  private WorkloadLife() {}

  /** Its job has succeeded. */
  static Workload finished(Workload workload, Instant now) {
    return withStatus(
        workload,
        WorkloadConditions.with(
            workload.status().conditions(), condition("Finished", true, "Succeeded", now)),
        workload.status().admission(),
        workload.status().admissionChecks(),
        workload.status().unhealthyNodes());
  }

  /** It was told to give way, and its pods are gone now: its quota is free, and it queues again. */
  static Workload stopped(Workload workload, Instant now) {
    String reason =
        WorkloadConditions.find(workload, "Evicted").map(Condition::reason).orElse("Preempted");
    List<Condition> conditions = workload.status().conditions();
    conditions =
        WorkloadConditions.with(
            conditions, condition("QuotaReserved", false, "PendingEvaluation", now));
    conditions =
        WorkloadConditions.with(conditions, condition("Admitted", false, "NoReservation", now));
    conditions =
        WorkloadConditions.with(
            conditions, condition("Requeued", BACK_AT_ONCE.contains(reason), reason, now));
    List<AdmissionCheckState> checks =
        workload.status().admissionChecks().stream()
            .map(check -> answered(check, CheckState.PENDING, now))
            .toList();
    return withStatus(workload, conditions, null, checks, List.of());
  }

  /** A check has answered; with all of them ready, a workload that has quota is admitted. */
  static Workload checked(Workload workload, String name, CheckState state, Instant now) {
    List<AdmissionCheckState> checks =
        workload.status().admissionChecks().stream()
            .map(check -> check.name().equals(name) ? answered(check, state, now) : check)
            .toList();
    List<Condition> conditions = workload.status().conditions();
    boolean ready = checks.stream().allMatch(check -> check.state() == CheckState.READY);
    if (ready && WorkloadConditions.isTrue(workload, "QuotaReserved")) {
      conditions =
          WorkloadConditions.with(conditions, condition("Admitted", true, "Admitted", now));
    }
    Workload answered =
        withStatus(
            workload,
            conditions,
            workload.status().admission(),
            checks,
            workload.status().unhealthyNodes());
    return switch (state) {
      case PENDING, READY -> answered;
      case RETRY -> evicted(answered, "AdmissionCheck", now);
      case REJECTED -> deactivated(evicted(answered, "DeactivatedDueToAdmissionCheck", now));
    };
  }

  /** The checks of its queue are listed with it, those that are new as pending. */
  static Workload listing(Workload workload, Set<String> checks, Instant now) {
    List<AdmissionCheckState> states = new ArrayList<>();
    for (String name : checks) {
      states.add(
          workload.status().admissionChecks().stream()
              .filter(check -> check.name().equals(name))
              .findFirst()
              .orElseGet(
                  () ->
                      new AdmissionCheckState(
                          name, CheckState.PENDING, now, "", null, null, List.of())));
    }
    return withStatus(
        workload,
        workload.status().conditions(),
        workload.status().admission(),
        states,
        workload.status().unhealthyNodes());
  }

  /** It has to give way, for this reason. */
  static Workload evicted(Workload workload, String reason, Instant now) {
    return withStatus(
        workload,
        WorkloadConditions.with(
            workload.status().conditions(), condition("Evicted", true, reason, now)),
        workload.status().admission(),
        workload.status().admissionChecks(),
        workload.status().unhealthyNodes());
  }

  /** A node that it runs on has failed. */
  static Workload onFailedNode(Workload workload, String node) {
    List<UnhealthyNode> nodes = new ArrayList<>(workload.status().unhealthyNodes());
    nodes.add(new UnhealthyNode(node));
    return withStatus(
        workload,
        workload.status().conditions(),
        workload.status().admission(),
        workload.status().admissionChecks(),
        nodes);
  }

  private static AdmissionCheckState answered(
      AdmissionCheckState check, CheckState state, Instant now) {
    return new AdmissionCheckState(
        check.name(), state, now, "", null, check.retryCount(), check.podSetUpdates());
  }

  private static Condition condition(String type, boolean holds, String reason, Instant now) {
    ConditionStatus status = holds ? ConditionStatus.TRUE : ConditionStatus.FALSE;
    return new Condition(type, status, null, now, reason, "");
  }

  private static Workload deactivated(Workload workload) {
    WorkloadSpec spec = workload.spec();
    return workload.with(
        new WorkloadSpec(
            spec.podSets(),
            spec.queueName(),
            spec.priorityClassRef(),
            spec.priority(),
            false,
            spec.maximumExecutionTimeSeconds(),
            spec.preemptionGates()));
  }

  private static Workload withStatus(
      Workload workload,
      List<Condition> conditions,
      @Nullable Admission admission,
      List<AdmissionCheckState> checks,
      List<UnhealthyNode> unhealthyNodes) {
    WorkloadStatus status = workload.status();
    return workload.with(
        new WorkloadStatus(
            conditions,
            admission,
            checks,
            status.requeueState(),
            status.reclaimablePods(),
            status.resourceRequests(),
            status.preemptionGates(),
            status.accumulatedPastExecutionTimeSeconds(),
            status.schedulingStats(),
            status.nominatedClusterNames(),
            status.clusterName(),
            unhealthyNodes));
  }
}
