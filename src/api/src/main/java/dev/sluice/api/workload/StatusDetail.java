package dev.sluice.api.workload;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.vocabulary.Reasons;

/**
 * How much detail the conditions of a Workload give about why it is not admitted. Feature gates
 * choose it.
 */
public enum StatusDetail {
  /** A few words for all reasons, as before there was more; Admitted only when it changes. */
  COARSE,

  /** Each reason by its name, and that it is not admitted with each of them. */
  GRANULAR,

  /** The same, from the moment that a Workload is there. */
  EXPLICIT;

  /** What these gates ask for. */
  public static StatusDetail of(FeatureGates gates) {
    if (!gates.isOn(FeatureGate.UNADMITTED_WORKLOADS_OBSERVABILITY)) {
      return COARSE;
    }
    return gates.isOn(FeatureGate.UNADMITTED_WORKLOADS_EXPLICIT_STATUS) ? EXPLICIT : GRANULAR;
  }

  /** Whether Admitted is written although it is as false as it was, or was not there. */
  public boolean tellsAnew() {
    return this != COARSE;
  }

  /** The reason for a decision that left a Workload without quota. */
  public String decided(PendingReason reason) {
    if (tellsAnew()) {
      return reason.text();
    }
    return reason == PendingReason.WAITING_FOR_PODS_READY ? "Waiting" : "Pending";
  }

  /** The reason for not looking at a Workload, or not yet. */
  public String notLookedAt(String reason) {
    if (tellsAnew()) {
      return reason;
    }
    return switch (reason) {
      case "PendingEvaluation" -> "Pending";
      case "Misconfigured", "Suspended" -> "Inadmissible";
      default -> reason;
    };
  }

  /**
   * The reason of Admitted=False without quota.
   *
   * @param ready whether all its checks are
   */
  public String noReservation(boolean ready) {
    return tellsAnew() || ready
        ? Reasons.NO_RESERVATION
        : Reasons.NO_RESERVATION_UNSATISFIED_CHECKS;
  }

  /** The reason of Admitted=False while checks are pending. */
  public String unsatisfied() {
    return tellsAnew() ? Reasons.UNSATISFIED_ADMISSION_CHECKS : Reasons.UNSATISFIED_CHECKS;
  }
}
