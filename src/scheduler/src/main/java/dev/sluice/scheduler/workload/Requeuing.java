package dev.sluice.scheduler.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.REQUEUED;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.queue.StopPolicy;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.RequeueState;
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

  /** What kept it out is over. */
  static ReconcileStep requeued(WorkloadContext context) {
    Optional<Condition> requeued =
        context.condition(REQUEUED).filter(c -> c.status() == ConditionStatus.FALSE);
    if (requeued.isEmpty()) {
      return ReconcileStep.REST;
    }
    return switch (requeued.get().reason()) {
      case "Deactivated" ->
          context.active() ? back(context, "Reactivated", "reactivated") : ReconcileStep.REST;
      case Repair.ADMISSION_MISSING ->
          back(
              context, Repair.ADMISSION_MISSING, "evicted for want of an admission, and has ended");
      case "PodsReadyTimeout", "AdmissionCheck" -> afterBackoff(context);
      case "LocalQueueStopped" ->
          context.localQueue().filter(q -> q.spec().stopPolicy() == StopPolicy.NONE).isPresent()
              ? restarted(context, "LocalQueue")
              : ReconcileStep.REST; // a change of the LocalQueue brings it back here
      case "ClusterQueueStopped" ->
          context.clusterQueue().filter(q -> q.spec().stopPolicy() == StopPolicy.NONE).isPresent()
              ? restarted(context, "ClusterQueue")
              : ReconcileStep.REST; // a change of the ClusterQueue brings it back here
      default -> ReconcileStep.REST; // only who wrote that can take it back
    };
  }

  private static ReconcileStep restarted(WorkloadContext context, String kind) {
    return ReconcileStep.status(
        context
            .edit()
            .set(
                REQUEUED,
                true,
                kind + "Restarted",
                "The " + kind + " was restarted after being stopped"));
  }

  private static ReconcileStep back(WorkloadContext context, String reason, String how) {
    return ReconcileStep.status(
        context.edit().set(REQUEUED, true, reason, "The workload was " + how));
  }

  private static ReconcileStep afterBackoff(WorkloadContext context) {
    RequeueState state = context.workload().status().requeueState();
    Instant until = state == null ? null : state.requeueAt();
    if (until != null && context.now().isBefore(until)) {
      return ReconcileStep.at(Optional.of(until));
    }
    StatusEdit edit =
        context.edit().set(REQUEUED, true, "BackoffFinished", "The workload backoff was finished");
    if (state != null) {
      edit.requeueState(state.count() == null ? null : new RequeueState(state.count(), null));
    }
    return ReconcileStep.status(edit);
  }
}
