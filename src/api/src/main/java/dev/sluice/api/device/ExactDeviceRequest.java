package dev.sluice.api.device;

import dev.sluice.api.meta.Default;
import java.util.List;

/**
 * Devices of one class.
 *
 * @param selectors what each device has to meet besides
 * @param allocationMode {@code ExactCount} or {@code All}
 * @param count how many with {@code ExactCount}; 0 is read as 1
 * @param adminAccess whether devices of others are accessed for administration
 * @param capacity what is needed of a device that is shared
 */
public record ExactDeviceRequest(
    String deviceClassName,
    List<DeviceSelector> selectors,
    @Default("ExactCount") String allocationMode,
    @Default("1") long count,
    @Default("false") boolean adminAccess,
    @Default("{}") CapacityRequirements capacity) {
  public ExactDeviceRequest {
    selectors = List.copyOf(selectors);
  }
}
