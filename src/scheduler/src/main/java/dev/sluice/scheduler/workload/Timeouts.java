package dev.sluice.scheduler.workload;

import static dev.sluice.quota.world.ConditionType.ADMITTED;
import static dev.sluice.quota.world.ConditionType.EVICTED;
import static dev.sluice.quota.world.ConditionType.PODS_READY;

import dev.sluice.api.configuration.Scheduling.Requeuing;
import dev.sluice.api.configuration.Scheduling.WaitForPodsReady;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.workload.RequeueState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What takes too long: pods that do not come up, and those that run on. */
final class Timeouts {
  private static final int MOST_DOUBLINGS = 30;
  private static final String NOT_READY = "PodsReadyTimeout";
  private static final String WAIT_FOR_RECOVERY = "WaitForRecovery";

  private Timeouts() {}

  static Step over(Subject subject) {
    Optional<Condition> admitted =
        subject.condition(ADMITTED).filter(_ -> subject.isTrue(ADMITTED));
    if (admitted.isEmpty() || subject.isTrue(EVICTED) || !subject.active()) {
      return Step.REST;
    }
    Instant since = admitted.get().lastTransitionTime();
    Optional<Instant> end = executionEnd(subject, since);
    if (end.isPresent() && !subject.now().isBefore(end.get())) {
      return ranTooLong(subject);
    }
    Optional<Instant> ready = readyBy(subject, since);
    if (ready.isPresent() && !subject.now().isBefore(ready.get())) {
      return notReady(subject);
    }
    return Step.at(
        ready.isPresent() && (end.isEmpty() || ready.get().isBefore(end.get())) ? ready : end);
  }

  private static Optional<Instant> executionEnd(Subject subject, Instant since) {
    Integer most = subject.workload().spec().maximumExecutionTimeSeconds();
    Integer past = subject.workload().status().accumulatedPastExecutionTimeSeconds();
    return most == null
        ? Optional.empty()
        : Optional.of(since.plusSeconds((long) most - (past == null ? 0 : past)));
  }

  private static Step ranTooLong(Subject subject) {
    String message =
        "The maximum execution time (%ds) exceeded"
            .formatted(subject.workload().spec().maximumExecutionTimeSeconds());
    return Step.status(
        Deactivation.target(
            subject, Deactivation.EXECUTION_TIME, "exceeding the maximum execution time"),
        subject.event("Warning", Deactivation.EXECUTION_TIME, message));
  }

  private static Optional<Instant> readyBy(Subject subject, Instant admitted) {
    if (subject.isTrue(PODS_READY)) {
      return Optional.empty();
    }
    return subject
        .settings()
        .podsReady()
        .flatMap(
            wait ->
                recovering(subject)
                    .map(lost -> recoveredBy(wait, lost.lastTransitionTime()))
                    .orElseGet(() -> Optional.of(admitted.plus(wait.timeout()))));
  }

  /** What says that its pods were ready once. */
  private static Optional<Condition> recovering(Subject subject) {
    return subject.condition(PODS_READY).filter(c -> c.reason().equals(WAIT_FOR_RECOVERY));
  }

  private static Optional<Instant> recoveredBy(WaitForPodsReady wait, Instant lost) {
    return wait.recoveryTimeout().isZero()
        ? Optional.empty()
        : Optional.of(lost.plus(wait.recoveryTimeout()));
  }

  private static Step notReady(Subject subject) {
    Requeuing requeuing = subject.settings().podsReady().orElseThrow().requeuing();
    RequeueState state = subject.workload().status().requeueState();
    int count = (state == null || state.count() == null ? 0 : state.count()) + 1;
    if (requeuing.backoffLimit().isPresent() && count > requeuing.backoffLimit().getAsInt()) {
      return Step.status(
          Deactivation.target(
              subject,
              "RequeuingLimitExceeded",
              "exceeding the maximum number of re-queuing retries"));
    }
    String message =
        "Exceeded the PodsReady timeout %s/%s"
            .formatted(subject.metadata().namespace(), subject.metadata().name());
    Instant due = subject.now().plus(backoff(requeuing, count));
    Instant present = state == null ? null : state.requeueAt();
    String cause = recovering(subject).isPresent() ? WAIT_FOR_RECOVERY : "WaitForStart";
    return Step.status(
        subject
            .edit()
            .evict(NOT_READY, NOT_READY, cause, message)
            .requeueState(
                new RequeueState(count, present != null && present.isAfter(due) ? present : due)),
        subject.event("Normal", "EvictedDueTo" + NOT_READY, message));
  }

  private static Duration backoff(Requeuing requeuing, int count) {
    Duration backoff =
        requeuing.backoffBase().multipliedBy(1L << Math.min(count - 1, MOST_DOUBLINGS));
    return backoff.compareTo(requeuing.backoffMax()) < 0 ? backoff : requeuing.backoffMax();
  }
}
