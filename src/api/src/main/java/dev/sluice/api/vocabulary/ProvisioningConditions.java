package dev.sluice.api.vocabulary;

/** The types of conditions that an autoscaler sets on a ProvisioningRequest. */
public final class ProvisioningConditions {
  /** The autoscaler will answer the request. */
  public static final String ACCEPTED = "Accepted";

  /** The capacity is there. */
  public static final String PROVISIONED = "Provisioned";

  /** The capacity cannot be had. */
  public static final String FAILED = "Failed";

  /** The booking of the capacity has expired. */
  public static final String BOOKING_EXPIRED = "BookingExpired";

  /** The capacity is taken away, whether or not it is in use. */
  public static final String CAPACITY_REVOKED = "CapacityRevoked";

  private ProvisioningConditions() {}
}
