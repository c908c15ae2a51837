package dev.sluice.scheduler.workload;

import static dev.sluice.quota.world.ConditionType.ADMITTED;
import static dev.sluice.quota.world.ConditionType.EVICTED;

import dev.sluice.api.workload.QuotaHold;
import dev.sluice.api.workload.QuotaHold.Contradiction;
import dev.sluice.api.write.Write;

/** Ends what a stored status says against itself, so that the Workload goes on. */
final class Repair {
  /** Why a Workload is evicted whose admission is not there any more. */
  static final String ADMISSION_MISSING = "AdmissionMissing";

  private static final String PENDING = "PendingEvaluation";

  private Repair() {}

  static Step repaired(Subject subject) {
    return QuotaHold.contradiction(subject.workload().status())
        .map(found -> repaired(subject, found))
        .orElse(Step.REST);
  }

  private static Step repaired(Subject subject, Contradiction found) {
    return switch (found) {
      case RESERVED_WITHOUT_ADMISSION -> withoutAdmission(subject, found);
      case ADMITTED_WITHOUT_RESERVATION ->
          Step.status(subject.edit().withoutAdmission().notAdmitted(), event(subject, found));
      case ADMISSION_WITHOUT_RESERVATION -> Step.status(subject.edit().withoutAdmission());
    };
  }

  /** One whose job may run is evicted, so that the job stops; any other one just waits again. */
  private static Step withoutAdmission(Subject subject, Contradiction found) {
    if (subject.isTrue(EVICTED)) {
      return Step.REST; // it is requeued once its pods are gone
    }
    if (!subject.isTrue(ADMITTED)) {
      return Step.status(
          subject.edit().unreserved(PENDING, found.sentence()), event(subject, found));
    }
    return subject.active()
        ? Holding.evicted(subject, ADMISSION_MISSING, found.sentence())
        : Step.REST; // it is evicted for that
  }

  private static Write.Event event(Subject subject, Contradiction found) {
    return subject.event("Warning", "StatusRepaired", found.sentence());
  }
}
