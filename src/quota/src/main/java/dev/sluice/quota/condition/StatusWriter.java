package dev.sluice.quota.condition;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.BLOCKED_ON_PREEMPTION_GATES;
import static dev.sluice.api.vocabulary.ConditionTypes.EVICTED;
import static dev.sluice.api.vocabulary.ConditionTypes.FINISHED;
import static dev.sluice.api.vocabulary.ConditionTypes.PREEMPTED;
import static dev.sluice.api.vocabulary.ConditionTypes.QUOTA_RESERVED;

import dev.sluice.api.Quantity;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.DelayedTopologyRequestState;
import dev.sluice.api.workload.EvictionTraces;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.PodSetRequest;
import dev.sluice.api.workload.PreemptionGateState;
import dev.sluice.api.workload.SchedulingStats;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.TopologyAssignment;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Target;
import dev.sluice.quota.request.PodSetRequests;
import dev.sluice.quota.request.Requests;
import dev.sluice.quota.topology.AssignmentCodec;
import dev.sluice.quota.topology.PodPlacement;
import dev.sluice.quota.world.QueueRules;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Writes what a decision means into the status of the Workloads it concerns (reference: 4.12). */
public final class StatusWriter {
  private final EngineConfiguration configuration;
  private final StatusDetail telling;

  public StatusWriter(EngineConfiguration configuration) {
    this.configuration = configuration;
    this.telling = StatusDetail.of(configuration.gates());
  }

  /** The head after its decision; the very same where that says nothing new. */
  public Workload decided(WorkloadState head, QueueRules rules, Decision decision, Instant now) {
    return decision instanceof Decision.Reserved(var assignment, _)
        ? reserved(head, rules, assignment, now)
        : pending(head, decision, now);
  }

  private Workload reserved(
      WorkloadState head, QueueRules rules, Assignment assignment, Instant now) {
    Conditions conditions = conditions(head, now);
    String message = "Quota reserved in ClusterQueue " + rules.name();
    conditions.set(QUOTA_RESERVED, true, QUOTA_RESERVED, message);
    for (String type : List.of(EVICTED, PREEMPTED, BLOCKED_ON_PREEMPTION_GATES)) {
      Condition old = conditions.find(type);
      if (old != null && old.status() == ConditionStatus.TRUE) {
        conditions.set(type, false, QUOTA_RESERVED, "Previously: " + old.message());
      }
    }
    if (head.listsChecks(rules.requiredChecks(flavors(assignment)))) {
      syncAdmitted(head, conditions, delayed(assignment));
    }
    WorkloadStatus old = head.workload().status();
    return with(
        head,
        new Edited(old)
            .conditions(conditions)
            .admission(admission(rules.name(), assignment))
            .requests(List.of())
            .healthy());
  }

  private static boolean delayed(Assignment assignment) {
    return assignment.podSets().stream()
        .anyMatch(p -> p.delayed() == DelayedTopologyRequestState.PENDING);
  }

  private static Set<String> flavors(Assignment assignment) {
    Set<String> flavors = new TreeSet<>();
    assignment
        .podSets()
        .forEach(p -> p.flavors().values().forEach(flavor -> flavors.add(flavor.flavor())));
    return flavors;
  }

  private Admission admission(String clusterQueue, Assignment assignment) {
    List<PodSetAssignment> podSets = new ArrayList<>();
    for (AssignedPodSet podSet : assignment.podSets()) {
      Map<String, String> flavors = new LinkedHashMap<>();
      Map<String, Quantity> usage = new LinkedHashMap<>();
      podSet
          .flavors()
          .forEach(
              (resource, flavor) -> {
                flavors.put(resource, flavor.flavor());
                long amount = podSet.requests().getOrDefault(resource, 0L);
                usage.put(resource, Amount.toQuantity(resource, amount));
              });
      PodPlacement placement = podSet.placement();
      podSets.add(
          new PodSetAssignment(
              podSet.name(),
              flavors,
              usage,
              podSet.count(),
              placement == null ? null : encoded(placement),
              podSet.delayed()));
    }
    return new Admission(clusterQueue, podSets);
  }

  private TopologyAssignment encoded(PodPlacement placement) {
    return AssignmentCodec.encode(
        placement, configuration.on(FeatureGate.TAS_ASSIGNMENTS_ENCODING_BY_HOSTNAME_PREFIX));
  }

  private Workload pending(WorkloadState head, Decision decision, Instant now) {
    Conditions conditions = conditions(head, now);
    PendingReason reason = reason(decision);
    String message = DecisionMessages.of(decision);
    if (decision instanceof Decision.Gated) {
      conditions.set(BLOCKED_ON_PREEMPTION_GATES, true, "PreemptionGated", message);
    }
    conditions.set(QUOTA_RESERVED, false, telling.decided(reason), message);
    syncAdmitted(head, conditions, false);
    return with(
        head,
        new Edited(head.workload().status())
            .conditions(conditions)
            .admission(null)
            .requests(requests(head)));
  }

  private static List<PodSetRequest> requests(WorkloadState head) {
    List<PodSetRequest> all = new ArrayList<>();
    for (PodSetRequests podSet : head.requests()) {
      Requests requests = podSet.total();
      Map<String, Quantity> total = new LinkedHashMap<>();
      for (int i = 0; i < requests.size(); i++) {
        String resource = requests.resource(i);
        total.put(resource, Amount.toQuantity(resource, requests.amount(i)));
      }
      all.add(new PodSetRequest(podSet.name(), total));
    }
    return all;
  }

  /** Why a head that did not get quota is pending. */
  public static PendingReason reason(Decision decision) {
    return switch (decision) {
      case Decision.Reserved _ ->
          throw new IllegalArgumentException("Reserved (expected: a decision without quota)");
      case Decision.Waiting(var assignment) -> assignment.reason();
      case Decision.Looping _ -> PendingReason.WAITING_FOR_QUOTA;
      case Decision.Preempting _, Decision.Deferred _, Decision.Migrating _ ->
          PendingReason.WAITING_FOR_PREEMPTED_WORKLOADS;
      case Decision.Gated _ -> PendingReason.ADMISSION_GATED;
      case Decision.Skipped(_, var because) ->
          because == Decision.Skipped.Because.BETTER_VARIANT
              ? PendingReason.PENDING_EVALUATION
              : PendingReason.WAITING_FOR_QUOTA;
      case Decision.KeptBack _, Decision.Displaced _ -> PendingReason.PENDING_EVALUATION;
      case Decision.Blocked _ -> PendingReason.WAITING_FOR_PODS_READY;
      case Decision.Refused(var reason, _, _) -> reason;
    };
  }

  /** Admitted follows from the reservation, the listed checks, and pods that are to be placed. */
  private void syncAdmitted(WorkloadState workload, Conditions conditions, boolean delayed) {
    boolean reserved = conditions.isTrue(QUOTA_RESERVED);
    boolean ready = workload.allChecksReady();
    boolean admitted = reserved && ready && !delayed;
    boolean changes = admitted != conditions.isTrue(ADMITTED);
    if (!telling.tellsAnew() && !changes) {
      return;
    }
    if (admitted) {
      conditions.set(ADMITTED, true, ADMITTED, "The workload is admitted");
    } else if (!reserved) {
      conditions.set(
          ADMITTED, false, telling.noReservation(ready), "The workload has no reservation");
    } else if (ready) {
      conditions.set(
          ADMITTED,
          false,
          "PendingDelayedTopologyRequests",
          "There are pending delayed topology requests");
    } else {
      conditions.set(
          ADMITTED, false, telling.unsatisfied(), "The workload has not all checks ready");
    }
  }

  /**
   * A workload that gives way for another one (reference: 5.7, 7.5).
   *
   * @param paths where in the tree the queues of the two are, that of the other one first
   */
  public Workload preempted(
      WorkloadState victim,
      Target target,
      WorkloadState preemptor,
      List<String> paths,
      Instant now) {
    String message =
        "Preempted to accommodate a workload (UID: %s, JobUID: %s) due to %s;"
                .formatted(
                    preemptor.uid(),
                    Objects.requireNonNullElse(preemptor.jobUid(), "UNKNOWN"),
                    target.why().sentence())
            + " preemptor path: %s; preemptee path: %s"
                .formatted(paths.getFirst(), paths.getLast());
    Conditions conditions = conditions(victim, now);
    conditions.set(PREEMPTED, true, target.why().text(), message);
    return evicted(victim, conditions, PREEMPTED, message);
  }

  /** A workload that lost nodes for good (reference: 6.10). */
  public Workload displaced(WorkloadState workload, Decision.Displaced decision, Instant now) {
    return evicted(
        workload, conditions(workload, now), "NodeFailures", DecisionMessages.of(decision));
  }

  /** A variant that gives way for one with a preferred flavor. */
  public Workload migrated(WorkloadState variant, ObjectKey other, Instant now) {
    return evicted(
        variant,
        conditions(variant, now),
        "FlavorMigration",
        "Gives way to the variant " + other + ", whose flavor is preferred");
  }

  private Workload evicted(
      WorkloadState workload, Conditions conditions, String reason, String message) {
    conditions.set(EVICTED, true, reason, message);
    if (conditions.isTrue(BLOCKED_ON_PREEMPTION_GATES)) {
      conditions.set(BLOCKED_ON_PREEMPTION_GATES, false, reason, message);
    }
    WorkloadStatus old = workload.workload().status();
    return with(workload, new Edited(old).conditions(conditions).evicted(reason, conditions.now()));
  }

  /** A slice whose successor has quota. */
  public Workload replaced(WorkloadState slice, ObjectKey successor, Instant now) {
    Conditions conditions = conditions(slice, now);
    conditions.set(FINISHED, true, "WorkloadSliceReplaced", "Replaced by " + successor);
    return with(slice, new Edited(slice.workload().status()).conditions(conditions));
  }

  private static Conditions conditions(WorkloadState workload, Instant now) {
    return new Conditions(
        workload.workload().status().conditions(),
        workload.workload().metadata().generation(),
        now);
  }

  private static Workload with(WorkloadState workload, Edited status) {
    WorkloadStatus now = status.build();
    Workload before = workload.workload();
    return now.equals(before.status()) ? before : before.with(now);
  }

  /** A status with some of its members changed. */
  private static final class Edited {
    private final WorkloadStatus old;
    private List<Condition> conditions;
    private @Nullable Admission admission;
    private List<PodSetRequest> requests;
    private List<AdmissionCheckState> checks;
    private List<PreemptionGateState> gates;
    private @Nullable SchedulingStats stats;
    private boolean wasEvicted;
    private boolean healthy;

    Edited(WorkloadStatus old) {
      this.old = old;
      this.conditions = old.conditions();
      this.admission = old.admission();
      this.requests = old.resourceRequests();
      this.checks = old.admissionChecks();
      this.gates = old.preemptionGates();
      this.stats = old.schedulingStats();
    }

    Edited conditions(Conditions changed) {
      conditions = changed.list();
      return this;
    }

    Edited admission(@Nullable Admission changed) {
      admission = changed;
      return this;
    }

    Edited requests(List<PodSetRequest> changed) {
      requests = changed;
      return this;
    }

    Edited healthy() {
      healthy = true;
      return this;
    }

    Edited evicted(String reason, Instant now) {
      wasEvicted = true;
      checks = EvictionTraces.reset(checks, now);
      gates = EvictionTraces.closed(gates, now);
      stats = EvictionTraces.counted(stats, reason, "");
      return this;
    }

    WorkloadStatus build() {
      return new WorkloadStatus(
          conditions,
          admission,
          checks,
          old.requeueState(),
          old.reclaimablePods(),
          requests,
          gates,
          old.accumulatedPastExecutionTimeSeconds(),
          stats,
          wasEvicted ? List.of() : old.nominatedClusterNames(),
          wasEvicted ? null : old.clusterName(),
          wasEvicted || healthy ? List.of() : old.unhealthyNodes());
    }
  }
}
