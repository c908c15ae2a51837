package dev.sluice.lifecycle.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.BLOCKED_ON_PREEMPTION_GATES;
import static dev.sluice.api.vocabulary.ConditionTypes.QUOTA_RESERVED;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.Messages;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.PendingReason;
import java.util.Optional;

/** Workloads that an annotation holds back. */
final class AdmissionGating {
  private static final String GATED = PendingReason.ADMISSION_GATED.text();

  private AdmissionGating() {}

  static ReconcileStep gated(WorkloadContext context) {
    if (!context.settings().gated()
        || context.reserved()
        || !context.active()
        || context.isOnHold()) {
      return ReconcileStep.REST;
    }
    String by = context.metadata().annotations().getOrDefault(Annotations.ADMISSION_GATED_BY, "");
    Optional<Condition> told =
        context.condition(QUOTA_RESERVED).filter(c -> c.reason().equals(GATED));
    if (!by.isEmpty()) {
      String message = Messages.cut("Admission is gated by: " + by);
      boolean known = told.filter(c -> c.message().equals(message)).isPresent();
      return known
          ? ReconcileStep.REST // the annotation going away brings it back here
          : ReconcileStep.status(
              context.edit().pending(GATED, message), context.event("Normal", GATED, message));
    }
    String message = "AdmissionGatedBy cleared, waiting for quota reservation";
    boolean isOfPreemption = context.isTrue(BLOCKED_ON_PREEMPTION_GATES); // with the same reason
    return told.isEmpty() || isOfPreemption
        ? ReconcileStep.REST // the engine says why it waits
        : ReconcileStep.status(
            context.edit().pending(PendingReason.PENDING_EVALUATION.text(), message),
            context.event("Normal", EventReasons.ADMISSION_GATE_CLEARED, message));
  }

  static boolean isGated(WorkloadContext context) {
    return context.settings().gated()
        && !context
            .metadata()
            .annotations()
            .getOrDefault(Annotations.ADMISSION_GATED_BY, "")
            .isEmpty();
  }
}
