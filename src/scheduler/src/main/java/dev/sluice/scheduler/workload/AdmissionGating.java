package dev.sluice.scheduler.workload;

import static dev.sluice.quota.world.ConditionType.QUOTA_RESERVED;

import dev.sluice.api.meta.Condition;
import java.util.Optional;

/** Workloads that an annotation holds back. */
final class AdmissionGating {
  private static final String ANNOTATION = "kueue.x-k8s.io/admission-gated-by";
  private static final String GATED = "AdmissionGated";

  /** The same reason is given for preemption gates, in other words. */
  private static final String BY = "Admission is gated by: ";

  private AdmissionGating() {}

  static Step gated(Subject subject) {
    if (!subject.settings().gated()
        || subject.reserved()
        || !subject.active()
        || subject.isOnHold()) {
      return Step.REST;
    }
    String by = subject.metadata().annotations().getOrDefault(ANNOTATION, "");
    Optional<Condition> told =
        subject
            .condition(QUOTA_RESERVED)
            .filter(c -> c.reason().equals(GATED) && c.message().startsWith(BY));
    if (!by.isEmpty()) {
      String message = BY + by;
      boolean known = told.filter(c -> c.message().equals(message)).isPresent();
      return known
          ? Step.REST // the annotation going away brings it back here
          : Step.status(
              subject.edit().pending(GATED, message), subject.event("Normal", GATED, message));
    }
    String message = "AdmissionGatedBy cleared, waiting for quota reservation";
    return told.isEmpty()
        ? Step.REST
        : Step.status(
            subject.edit().pending("PendingEvaluation", message),
            subject.event("Normal", "AdmissionGateCleared", message));
  }

  static boolean isGated(Subject subject) {
    return subject.settings().gated()
        && !subject.metadata().annotations().getOrDefault(ANNOTATION, "").isEmpty();
  }
}
