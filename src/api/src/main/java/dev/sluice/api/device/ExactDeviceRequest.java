package dev.sluice.api.device;

import dev.sluice.api.meta.Default;

/**
 * Devices of one class.
 *
 * @param allocationMode {@code ExactCount} or {@code All}
 * @param count how many with {@code ExactCount}; 0 is read as 1
 * @param adminAccess whether devices of others are accessed for administration
 */
public record ExactDeviceRequest(
    String deviceClassName,
    @Default("ExactCount") String allocationMode,
    @Default("1") long count,
    @Default("false") boolean adminAccess) {}
