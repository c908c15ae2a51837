package dev.sluice.webhook.rules.workload;

import dev.sluice.rules.FieldError;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;

/** Quota that is reserved is reserved by an admission. */
final class AdmissionPresence {
  private AdmissionPresence() {}

  static void check(RuleInput input, ValidationResult findings) {
    var workload = new WorkloadView(input.root());
    boolean wasSo =
        input.oldRoot().map(WorkloadView::new).filter(AdmissionPresence::isMissing).isPresent();
    if (isMissing(workload) && !wasSo) { // otherwise it could not be repaired or finished
      findings.add(
          FieldError.required(
              workload.admission(),
              "must say where quota is reserved while QuotaReserved is True"));
    }
  }

  private static boolean isMissing(WorkloadView workload) {
    return workload.isReserved() && !workload.admission().isPresent();
  }
}
