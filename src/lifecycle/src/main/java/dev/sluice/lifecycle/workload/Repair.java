package dev.sluice.lifecycle.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.EVICTED;

import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.api.workload.QuotaHold.Contradiction;
import dev.sluice.api.write.Write;

/** Repairs a stored status that contradicts itself, so that the Workload can continue. */
final class Repair {
  private Repair() {}

  static ReconcileStep repaired(WorkloadContext context) {
    return QuotaHold.contradiction(context.workload().status())
        .map(found -> repaired(context, found))
        .orElse(ReconcileStep.REST);
  }

  private static ReconcileStep repaired(WorkloadContext context, Contradiction found) {
    return switch (found) {
      case RESERVED_WITHOUT_ADMISSION -> withoutAdmission(context, found);
      case ADMITTED_WITHOUT_RESERVATION ->
          ReconcileStep.status(
              context.edit().withoutAdmission().notAdmitted(), event(context, found));
      case ADMISSION_WITHOUT_RESERVATION -> ReconcileStep.status(context.edit().withoutAdmission());
    };
  }

  /** One whose job may run is evicted, so that the job stops; any other one just waits again. */
  private static ReconcileStep withoutAdmission(WorkloadContext context, Contradiction found) {
    if (context.isTrue(EVICTED)) {
      return ReconcileStep.REST; // it is requeued once its pods are gone
    }
    if (!context.isTrue(ADMITTED)) {
      return ReconcileStep.status(
          context.edit().giveBack(PendingReason.PENDING_EVALUATION.text(), found.sentence()),
          event(context, found));
    }
    return context.active()
        ? ReservationStep.evicted(context, Reasons.ADMISSION_MISSING, found.sentence())
        : ReconcileStep.REST; // it is evicted for that
  }

  private static Write.Event event(WorkloadContext context, Contradiction found) {
    return context.event("Warning", EventReasons.STATUS_REPAIRED, found.sentence());
  }
}
