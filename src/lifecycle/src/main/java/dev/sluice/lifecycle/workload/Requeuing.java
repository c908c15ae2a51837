package dev.sluice.lifecycle.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.REQUEUED;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.queue.StopPolicy;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.RequeueState;
import dev.sluice.api.workload.StatusEditor;
import java.time.Instant;
import java.util.Optional;

/** When a Workload that gave way may be queued again. */
final class Requeuing {
  private Requeuing() {}

  /** A check that asks to be tried again may say when; the latest of them counts. */
  static ReconcileStep backoff(WorkloadContext context) {
    RequeueState state = context.workload().status().requeueState();
    Instant present = state == null ? null : state.requeueAt();
    Instant due =
        context.workload().status().admissionChecks().stream()
            .filter(c -> c.state() == CheckState.RETRY && c.requeueAfterSeconds() != null)
            .map(Requeuing::askedFor)
            .max(Instant::compareTo)
            .orElse(null);
    if (due == null || (present != null && !due.isAfter(present))) {
      return ReconcileStep.REST;
    }
    Integer count = state == null ? null : state.count();
    return ReconcileStep.status(context.edit().requeueState(new RequeueState(count, due)));
  }

  private static Instant askedFor(AdmissionCheckState check) {
    Integer seconds = check.requeueAfterSeconds();
    return check.lastTransitionTime().plusSeconds(seconds == null ? 0 : seconds);
  }

  /** The cause of its eviction has ended. */
  static ReconcileStep requeued(WorkloadContext context) {
    Optional<Condition> requeued =
        context.condition(REQUEUED).filter(c -> c.status() == ConditionStatus.FALSE);
    if (requeued.isEmpty()) {
      return ReconcileStep.REST;
    }
    return switch (requeued.get().reason()) {
      case Reasons.DEACTIVATED ->
          context.active() ? back(context, Reasons.REACTIVATED, "reactivated") : ReconcileStep.REST;
      case Reasons.ADMISSION_MISSING ->
          back(
              context,
              Reasons.ADMISSION_MISSING,
              "evicted for want of an admission, and has ended");
      case Reasons.PODS_READY_TIMEOUT, Reasons.ADMISSION_CHECK -> afterBackoff(context);
      case Reasons.LOCAL_QUEUE_STOPPED ->
          context.localQueue().filter(q -> q.spec().stopPolicy() == StopPolicy.NONE).isPresent()
              ? restarted(context, Reasons.LOCAL_QUEUE_RESTARTED, "LocalQueue")
              : ReconcileStep.REST; // a change of the LocalQueue brings it back here
      case Reasons.CLUSTER_QUEUE_STOPPED ->
          context.clusterQueue().filter(q -> q.spec().stopPolicy() == StopPolicy.NONE).isPresent()
              ? restarted(context, Reasons.CLUSTER_QUEUE_RESTARTED, "ClusterQueue")
              : ReconcileStep.REST; // a change of the ClusterQueue brings it back here
      default -> ReconcileStep.REST; // only the writer of that condition can reset it
    };
  }

  private static ReconcileStep restarted(WorkloadContext context, String reason, String kind) {
    return ReconcileStep.status(
        context.edit().requeue(true, reason, "The " + kind + " was restarted after being stopped"));
  }

  private static ReconcileStep back(WorkloadContext context, String reason, String how) {
    return ReconcileStep.status(context.edit().requeue(true, reason, "The workload was " + how));
  }

  private static ReconcileStep afterBackoff(WorkloadContext context) {
    RequeueState state = context.workload().status().requeueState();
    Instant until = state == null ? null : state.requeueAt();
    if (until != null && context.now().isBefore(until)) {
      return ReconcileStep.at(Optional.of(until));
    }
    StatusEditor edit =
        context.edit().requeue(true, Reasons.BACKOFF_FINISHED, "The workload backoff was finished");
    if (state != null) {
      edit.requeueState(state.count() == null ? null : new RequeueState(state.count(), null));
    }
    return ReconcileStep.status(edit);
  }
}
