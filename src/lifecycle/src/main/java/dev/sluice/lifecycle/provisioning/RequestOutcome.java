package dev.sluice.lifecycle.provisioning;

/** What an autoscaler answers to a ProvisioningRequest. */
sealed interface RequestOutcome {
  /**
   * It has not decided yet.
   *
   * @param message when the capacity may come; empty if it does not say
   */
  record Waiting(String message) implements RequestOutcome {}

  /** The capacity is there. */
  record Provisioned(String message) implements RequestOutcome {}

  /** The capacity cannot be had; another request may succeed later. */
  record Failed(String message) implements RequestOutcome {}

  /** The booked capacity expired before the Workload used it. */
  record BookingExpired(String message) implements RequestOutcome {}

  /** The capacity was revoked. */
  record CapacityRevoked(String message) implements RequestOutcome {}
}
