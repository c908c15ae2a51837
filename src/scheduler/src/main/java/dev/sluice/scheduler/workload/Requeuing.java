package dev.sluice.scheduler.workload;

import static dev.sluice.quota.world.ConditionType.REQUEUED;

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
  static Step backoff(Subject subject) {
    RequeueState state = subject.workload().status().requeueState();
    Instant present = state == null ? null : state.requeueAt();
    Instant due =
        subject.workload().status().admissionChecks().stream()
            .filter(c -> c.state() == CheckState.RETRY && c.requeueAfterSeconds() != null)
            .map(Requeuing::askedFor)
            .max(Instant::compareTo)
            .orElse(null);
    if (due == null || (present != null && !due.isAfter(present))) {
      return Step.REST;
    }
    Integer count = state == null ? null : state.count();
    return Step.status(subject.edit().requeueState(new RequeueState(count, due)));
  }

  private static Instant askedFor(AdmissionCheckState check) {
    Integer seconds = check.requeueAfterSeconds();
    return check.lastTransitionTime().plusSeconds(seconds == null ? 0 : seconds);
  }

  /** What kept it out is over. */
  static Step requeued(Subject subject) {
    Optional<Condition> requeued =
        subject.condition(REQUEUED).filter(c -> c.status() == ConditionStatus.FALSE);
    if (requeued.isEmpty()) {
      return Step.REST;
    }
    return switch (requeued.get().reason()) {
      case "Deactivated" ->
          subject.active() ? back(subject, "Reactivated", "reactivated") : Step.REST;
      case Repair.ADMISSION_MISSING ->
          back(
              subject, Repair.ADMISSION_MISSING, "evicted for want of an admission, and has ended");
      case "PodsReadyTimeout", "AdmissionCheck" -> afterBackoff(subject);
      case "LocalQueueStopped" ->
          subject.localQueue().filter(q -> q.spec().stopPolicy() == StopPolicy.NONE).isPresent()
              ? restarted(subject, "LocalQueue")
              : Step.REST; // a change of the LocalQueue brings it back here
      case "ClusterQueueStopped" ->
          subject.clusterQueue().filter(q -> q.spec().stopPolicy() == StopPolicy.NONE).isPresent()
              ? restarted(subject, "ClusterQueue")
              : Step.REST; // a change of the ClusterQueue brings it back here
      default -> Step.REST; // only who wrote that can take it back
    };
  }

  private static Step restarted(Subject subject, String kind) {
    return Step.status(
        subject
            .edit()
            .set(
                REQUEUED,
                true,
                kind + "Restarted",
                "The " + kind + " was restarted after being stopped"));
  }

  private static Step back(Subject subject, String reason, String how) {
    return Step.status(subject.edit().set(REQUEUED, true, reason, "The workload was " + how));
  }

  private static Step afterBackoff(Subject subject) {
    RequeueState state = subject.workload().status().requeueState();
    Instant until = state == null ? null : state.requeueAt();
    if (until != null && subject.now().isBefore(until)) {
      return Step.at(Optional.of(until));
    }
    StatusEdit edit =
        subject.edit().set(REQUEUED, true, "BackoffFinished", "The workload backoff was finished");
    if (state != null) {
      edit.requeueState(state.count() == null ? null : new RequeueState(state.count(), null));
    }
    return Step.status(edit);
  }
}
