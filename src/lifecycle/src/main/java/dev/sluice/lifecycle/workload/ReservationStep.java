package dev.sluice.lifecycle.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.EVICTED;
import static dev.sluice.api.vocabulary.ConditionTypes.QUOTA_RESERVED;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.StopPolicy;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.DelayedTopologyRequestState;
import dev.sluice.api.workload.StatusEditor;
import dev.sluice.api.write.Write;
import dev.sluice.quota.world.QueueRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Reconciles a Workload that holds quota: answers of its checks, and queues that stop. */
final class ReservationStep {
  /** How long after a reservation the watch may show its ClusterQueue. */
  private static final Duration QUEUE_TO_COME = Duration.ofSeconds(10);

  private ReservationStep() {}

  static ReconcileStep judged(WorkloadContext context) {
    if (!context.active()) {
      return ReconcileStep.REST; // already deactivated
    }
    List<AdmissionCheckState> rejected = in(context, CheckState.REJECTED);
    if (!rejected.isEmpty()) {
      return rejected(context, rejected);
    }
    if (!context.reserved() || context.isTrue(EVICTED)) {
      return ReconcileStep.REST; // the quota is released once the pods have ended
    }
    List<AdmissionCheckState> retries = in(context, CheckState.RETRY);
    if (!retries.isEmpty()) {
      String why = "Evicted due to " + named(retries, "Retry");
      return evicted(context, Reasons.ADMISSION_CHECK, why);
    }
    if (context.isTrue(ADMITTED)) {
      return drained(context);
    }
    ReconcileStep revoked = revoked(context);
    return revoked.equals(ReconcileStep.REST) ? admission(context) : revoked;
  }

  /**
   * A Workload that is not admitted yet releases its quota at once if one of its queues stops or is
   * deleted.
   */
  private static ReconcileStep revoked(WorkloadContext context) {
    Optional<Instant> end = endOfMissingQueue(context);
    if (end.filter(context.now()::isBefore).isPresent()) {
      return ReconcileStep.at(end);
    }
    return Optional.ofNullable(PendingReasons.localObstacle(context))
        .or(() -> end.map(_ -> PendingReasons.gone(context)))
        .or(() -> context.clusterQueue().map(PendingReasons::revocation))
        .map(o -> ReconcileStep.status(context.edit().giveBack(o.reason(), o.message())))
        .orElse(ReconcileStep.REST); // a change of the queue reconciles it again
  }

  /**
   * Until when a reservation without its ClusterQueue is kept. A finalizer keeps the ClusterQueue
   * while Workloads hold quota of it, so usually the watch has not shown it yet; it is deleted only
   * if a user removed the finalizer. Empty if the ClusterQueue is there.
   */
  private static Optional<Instant> endOfMissingQueue(WorkloadContext context) {
    return context.clusterQueue().isPresent()
        ? Optional.empty()
        : context
            .condition(QUOTA_RESERVED)
            .map(condition -> condition.lastTransitionTime().plus(QUEUE_TO_COME));
  }

  private static List<AdmissionCheckState> in(WorkloadContext context, CheckState state) {
    return context.workload().status().admissionChecks().stream()
        .filter(check -> check.state() == state)
        .toList();
  }

  private static String named(List<AdmissionCheckState> checks, String state) {
    return "AdmissionCheck%s in %s state: %s"
        .formatted(
            checks.size() == 1 ? "" : "s",
            state,
            checks.stream()
                .map(check -> "\"%s\" (%s)".formatted(check.name(), check.message()))
                .collect(Collectors.joining("; ")));
  }

  private static ReconcileStep rejected(WorkloadContext context, List<AdmissionCheckState> checks) {
    String message = named(checks, "Rejected");
    return ReconcileStep.status(
        Deactivation.target(context, Reasons.ADMISSION_CHECK, message),
        context.event(
            "Warning", EventReasons.ADMISSION_CHECK_REJECTED, "Deactivated due to " + message));
  }

  static ReconcileStep evicted(WorkloadContext context, String reason, String message) {
    return ReconcileStep.status(
        context.edit().evict(reason, reason, "", message),
        context.event("Normal", EventReasons.EVICTED_DUE_TO + reason, message));
  }

  /** Admits once all checks are ready; the engine has already admitted Workloads without checks. */
  private static ReconcileStep admission(WorkloadContext context) {
    Optional<ClusterQueue> queue = context.clusterQueue();
    if (queue.isEmpty()) {
      return ReconcileStep.REST; // it appears, or the quota is released
    }
    List<AdmissionCheckState> listed = context.workload().status().admissionChecks();
    boolean all =
        listed.stream()
            .map(AdmissionCheckState::name)
            .collect(Collectors.toSet())
            .containsAll(ListedChecks.wanted(context, new QueueRules(queue.get())));
    boolean ready = all && listed.stream().allMatch(c -> c.state() == CheckState.READY);
    if (!ready) {
      String reason = context.settings().detail().unsatisfied();
      return saying(context, reason, StatusEditor::awaitChecks);
    }
    if (placementIsPending(context)) {
      return saying(
          context, Reasons.PENDING_DELAYED_TOPOLOGY_REQUESTS, StatusEditor::awaitPlacement);
    }
    return ReconcileStep.status(context.edit().admit(), admittedEvent(context));
  }

  private static Write.Event admittedEvent(WorkloadContext context) {
    long waited =
        context
            .condition(QUOTA_RESERVED)
            .map(c -> Duration.between(c.lastTransitionTime(), context.now()).toSeconds())
            .orElse(0L);
    return context.event(
        "Normal",
        ADMITTED,
        "Admitted by ClusterQueue %s, wait time since reservation was %ds"
            .formatted(context.clusterQueueName().orElse(""), waited));
  }

  private static ReconcileStep saying(
      WorkloadContext context, String reason, UnaryOperator<StatusEditor> change) {
    Optional<Condition> told = context.condition(ADMITTED);
    boolean known = told.filter(c -> c.reason().equals(reason)).isPresent();
    return known || !context.settings().detail().tellsAnew()
        ? ReconcileStep.REST // an answer of a check reconciles it again
        : ReconcileStep.status(change.apply(context.edit()));
  }

  private static boolean placementIsPending(WorkloadContext context) {
    Admission admission = context.workload().status().admission();
    return admission != null
        && admission.podSetAssignments().stream()
            .anyMatch(
                a ->
                    a.delayedTopologyRequest() == DelayedTopologyRequestState.PENDING
                        && a.topologyAssignment() == null);
  }

  private static ReconcileStep drained(WorkloadContext context) {
    boolean own =
        context
            .localQueue()
            .filter(q -> q.spec().stopPolicy() == StopPolicy.HOLD_AND_DRAIN)
            .isPresent();
    if (own) {
      return evicted(context, Reasons.LOCAL_QUEUE_STOPPED, "The LocalQueue is stopped");
    }
    boolean whole =
        context
            .clusterQueue()
            .filter(q -> q.spec().stopPolicy() == StopPolicy.HOLD_AND_DRAIN)
            .isPresent();
    return whole
        ? evicted(context, Reasons.CLUSTER_QUEUE_STOPPED, "The ClusterQueue is stopped")
        : ReconcileStep.REST;
  }
}
