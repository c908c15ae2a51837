package dev.sluice.quota.inventory;

/**
 * Why a ClusterQueue is not active, for its condition Active.
 *
 * @param subject the name of the object that is missing, inactive or too many; empty for none
 */
public record Inactivity(Reason reason, String subject, String message) {
  /** In the order in which they are reported. */
  public enum Reason {
    STOPPED("Stopped"),
    FLAVOR_NOT_FOUND("FlavorNotFound"),
    ADMISSION_CHECK_NOT_FOUND("AdmissionCheckNotFound"),
    ADMISSION_CHECK_INACTIVE("AdmissionCheckInactive"),
    MULTIPLE_MULTI_KUEUE_CHECKS("MultipleMultiKueueAdmissionChecks"),
    MULTI_KUEUE_PER_FLAVOR("MultiKueueAdmissionCheckAppliedPerFlavor"),
    MULTI_KUEUE_WITH_PROVISIONING("MultiKueueWithProvisioningRequest"),
    TOPOLOGY_NOT_FOUND("TopologyNotFound"),
    COHORT_CYCLE("CohortCycle"),
    TERMINATING("Terminating");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** As written in a condition. */
    public String text() {
      return text;
    }
  }
}
