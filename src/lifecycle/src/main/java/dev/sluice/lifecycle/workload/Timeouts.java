package dev.sluice.lifecycle.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.EVICTED;
import static dev.sluice.api.vocabulary.ConditionTypes.PODS_READY;

import dev.sluice.api.ExponentialBackoff;
import dev.sluice.api.configuration.Scheduling.Requeuing;
import dev.sluice.api.configuration.Scheduling.WaitForPodsReady;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.RequeueState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What takes too long: pods that do not come up, and those that run on. */
final class Timeouts {

  private Timeouts() {}

  static ReconcileStep over(WorkloadContext context) {
    Optional<Condition> admitted =
        context.condition(ADMITTED).filter(_ -> context.isTrue(ADMITTED));
    if (admitted.isEmpty() || context.isTrue(EVICTED) || !context.active()) {
      return ReconcileStep.REST;
    }
    Instant since = admitted.get().lastTransitionTime();
    Optional<Instant> ready = readyBy(context, since);
    if (ready.isPresent() && !context.now().isBefore(ready.get())) {
      return notReady(context);
    }
    Optional<Instant> end = executionEnd(context, since);
    if (end.isPresent() && !context.now().isBefore(end.get())) {
      return ranTooLong(context);
    }
    return ReconcileStep.at(
        ready.isPresent() && (end.isEmpty() || ready.get().isBefore(end.get())) ? ready : end);
  }

  private static Optional<Instant> executionEnd(WorkloadContext context, Instant since) {
    Integer most = context.workload().spec().maximumExecutionTimeSeconds();
    Integer past = context.workload().status().accumulatedPastExecutionTimeSeconds();
    return most == null
        ? Optional.empty()
        : Optional.of(since.plusSeconds((long) most - (past == null ? 0 : past)));
  }

  private static ReconcileStep ranTooLong(WorkloadContext context) {
    String message =
        "The maximum execution time (%ds) exceeded"
            .formatted(context.workload().spec().maximumExecutionTimeSeconds());
    return ReconcileStep.status(
        Deactivation.target(
            context,
            Reasons.MAXIMUM_EXECUTION_TIME_EXCEEDED,
            "exceeding the maximum execution time"),
        context.event("Warning", Reasons.MAXIMUM_EXECUTION_TIME_EXCEEDED, message));
  }

  private static Optional<Instant> readyBy(WorkloadContext context, Instant admitted) {
    if (context.isTrue(PODS_READY)) {
      return Optional.empty();
    }
    return context
        .settings()
        .podsReady()
        .flatMap(
            wait ->
                recovering(context)
                    .map(lost -> recoveredBy(wait, lost.lastTransitionTime()))
                    .orElseGet(() -> Optional.of(begin(context, admitted).plus(wait.timeout()))));
  }

  /**
   * When the time for its pods begins. Kueue does not write the condition PodsReady while it does
   * not wait for pods. So a Workload without it, which Kueue admitted long ago, gets the whole time
   * from when this scheduler takes over: the controller of its job has not looked at it yet.
   */
  private static Instant begin(WorkloadContext context, Instant admitted) {
    return context.condition(PODS_READY).isEmpty() && context.leadsSince().isAfter(admitted)
        ? context.leadsSince()
        : admitted;
  }

  /** What says that its pods were ready once. */
  private static Optional<Condition> recovering(WorkloadContext context) {
    return context.condition(PODS_READY).filter(c -> c.reason().equals(Reasons.WAIT_FOR_RECOVERY));
  }

  private static Optional<Instant> recoveredBy(WaitForPodsReady wait, Instant lost) {
    return wait.recoveryTimeout().isZero()
        ? Optional.empty()
        : Optional.of(lost.plus(wait.recoveryTimeout()));
  }

  private static ReconcileStep notReady(WorkloadContext context) {
    Requeuing requeuing = context.settings().podsReady().orElseThrow().requeuing();
    RequeueState state = context.workload().status().requeueState();
    int count = (state == null || state.count() == null ? 0 : state.count()) + 1;
    if (requeuing.backoffLimit().isPresent() && count > requeuing.backoffLimit().getAsInt()) {
      return ReconcileStep.status(
          Deactivation.target(
              context,
              Reasons.REQUEUING_LIMIT_EXCEEDED,
              "exceeding the maximum number of re-queuing retries"));
    }
    String message =
        "Exceeded the PodsReady timeout %s/%s"
            .formatted(context.metadata().namespace(), context.metadata().name());
    Instant due = context.now().plus(backoff(requeuing, count));
    Instant present = state == null ? null : state.requeueAt();
    String cause =
        recovering(context).isPresent() ? Reasons.WAIT_FOR_RECOVERY : Reasons.WAIT_FOR_START;
    return ReconcileStep.status(
        context
            .edit()
            .evict(Reasons.PODS_READY_TIMEOUT, Reasons.PODS_READY_TIMEOUT, cause, message)
            .requeueState(
                new RequeueState(count, present != null && present.isAfter(due) ? present : due)),
        context.event("Normal", EventReasons.EVICTED_DUE_TO + Reasons.PODS_READY_TIMEOUT, message));
  }

  private static Duration backoff(Requeuing requeuing, int count) {
    return new ExponentialBackoff(requeuing.backoffBase(), requeuing.backoffMax()).after(count);
  }
}
