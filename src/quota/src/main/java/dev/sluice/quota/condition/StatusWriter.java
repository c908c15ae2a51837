package dev.sluice.quota.condition;

import static dev.sluice.api.vocabulary.ConditionTypes.BLOCKED_ON_PREEMPTION_GATES;
import static dev.sluice.api.vocabulary.ConditionTypes.PREEMPTED;

import dev.sluice.api.Quantity;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.DelayedTopologyRequestState;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.PodSetRequest;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.StatusEditor;
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

/** Writes a decision into the conditions and the admission of the Workloads that it concerns. */
public final class StatusWriter {
  private final EngineConfiguration configuration;
  private final StatusDetail detail;

  public StatusWriter(EngineConfiguration configuration) {
    this.configuration = configuration;
    this.detail = StatusDetail.of(configuration.gates());
  }

  /** The head after its decision; the same object if nothing changed. */
  public Workload decided(WorkloadState head, QueueRules rules, Decision decision, Instant now) {
    return decision instanceof Decision.Reserved(var assignment, _)
        ? reserved(head, rules, assignment, now)
        : pending(head, decision, now);
  }

  private Workload reserved(
      WorkloadState head, QueueRules rules, Assignment assignment, Instant now) {
    StatusEditor status = edit(head, now).reserve(admission(rules.name(), assignment));
    if (head.listsChecks(rules.requiredChecks(flavors(assignment)))) {
      if (!head.allChecksReady()) {
        status.awaitChecks();
      } else if (delayed(assignment)) {
        status.awaitPlacement();
      } else {
        status.admit();
      }
    }
    return with(head, status);
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
    StatusEditor status = edit(head, now);
    String message = DecisionMessages.of(decision);
    if (decision instanceof Decision.Gated) {
      status.set(BLOCKED_ON_PREEMPTION_GATES, true, Reasons.PREEMPTION_GATED, message);
    }
    status.giveBack(detail.decided(reason(decision)), message).resourceRequests(requests(head));
    return with(head, status);
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

  /**
   * Evicts a workload that another one preempts.
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
    return with(
        victim,
        edit(victim, now)
            .set(PREEMPTED, true, target.why().text(), message)
            .evict(PREEMPTED, PREEMPTED, "", message));
  }

  /** Evicts a workload whose failed nodes cannot be replaced. */
  public Workload displaced(WorkloadState workload, Decision.Displaced decision, Instant now) {
    return evicted(workload, Reasons.NODE_FAILURES, DecisionMessages.of(decision), now);
  }

  /** A variant that is evicted for one with a preferred flavor. */
  public Workload migrated(WorkloadState variant, ObjectKey other, Instant now) {
    return evicted(
        variant,
        Reasons.FLAVOR_MIGRATION,
        "Gives way to the variant " + other + ", whose flavor is preferred",
        now);
  }

  private Workload evicted(WorkloadState workload, String reason, String message, Instant now) {
    return with(workload, edit(workload, now).evict(reason, reason, "", message));
  }

  /** A slice whose successor has quota. */
  public Workload replaced(WorkloadState slice, ObjectKey successor, Instant now) {
    return with(
        slice,
        edit(slice, now).finish(Reasons.WORKLOAD_SLICE_REPLACED, "Replaced by " + successor));
  }

  private StatusEditor edit(WorkloadState workload, Instant now) {
    return new StatusEditor(workload.workload(), detail, now);
  }

  private static Workload with(WorkloadState workload, StatusEditor status) {
    WorkloadStatus now = status.build();
    Workload before = workload.workload();
    return now.equals(before.status()) ? before : before.with(now);
  }
}
