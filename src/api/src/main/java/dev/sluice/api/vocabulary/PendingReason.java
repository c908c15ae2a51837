package dev.sluice.api.vocabulary;

/** Why a workload has no quota: the reason of its condition QuotaReserved=False. */
public enum PendingReason {
  PENDING_EVALUATION("PendingEvaluation"),
  WAITING_FOR_QUOTA("WaitingForQuota"),
  EXCEEDS_MAX_QUOTA("ExceedsMaxQuota"),
  NO_MATCHING_FLAVOR("NoMatchingFlavor"),
  TOPOLOGY_PLACEMENT_FAILED("TopologyPlacementFailed"),
  WAITING_FOR_PREEMPTED_WORKLOADS("WaitingForPreemptedWorkloads"),
  WAITING_FOR_PODS_READY("WaitingForPodsReady"),
  SUSPENDED("Suspended"),
  MISCONFIGURED("Misconfigured"),
  ADMISSION_GATED("AdmissionGated"),
  ON_HOLD("OnHold"),
  DEACTIVATED("Deactivated");

  private final String text;

  PendingReason(String text) {
    this.text = text;
  }

  /** The reason of a condition. */
  public String text() {
    return text;
  }
}
