package dev.sluice.scheduler.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.QUOTA_RESERVED;

import dev.sluice.api.meta.Condition;
import java.util.Optional;

/** Workloads that an annotation holds back. */
final class AdmissionGating {
  private static final String ANNOTATION = "kueue.x-k8s.io/admission-gated-by";
  private static final String GATED = "AdmissionGated";

  /** The same reason is given for preemption gates, in other words. */
  private static final String BY = "Admission is gated by: ";

  private AdmissionGating() {}

  static ReconcileStep gated(WorkloadContext context) {
    if (!context.settings().gated()
        || context.reserved()
        || !context.active()
        || context.isOnHold()) {
      return ReconcileStep.REST;
    }
    String by = context.metadata().annotations().getOrDefault(ANNOTATION, "");
    Optional<Condition> told =
        context
            .condition(QUOTA_RESERVED)
            .filter(c -> c.reason().equals(GATED) && c.message().startsWith(BY));
    if (!by.isEmpty()) {
      String message = BY + by;
      boolean known = told.filter(c -> c.message().equals(message)).isPresent();
      return known
          ? ReconcileStep.REST // the annotation going away brings it back here
          : ReconcileStep.status(
              context.edit().pending(GATED, message), context.event("Normal", GATED, message));
    }
    String message = "AdmissionGatedBy cleared, waiting for quota reservation";
    return told.isEmpty()
        ? ReconcileStep.REST
        : ReconcileStep.status(
            context.edit().pending("PendingEvaluation", message),
            context.event("Normal", "AdmissionGateCleared", message));
  }

  static boolean isGated(WorkloadContext context) {
    return context.settings().gated()
        && !context.metadata().annotations().getOrDefault(ANNOTATION, "").isEmpty();
  }
}
