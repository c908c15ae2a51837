package dev.sluice.api.device;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Devices of one sort.
 *
 * @param exactly what is asked for; null where there are alternatives
 * @param firstAvailable the alternatives, of which the first to be had is taken
 */
public record DeviceRequest(
    String name, @Nullable ExactDeviceRequest exactly, List<DeviceAlternative> firstAvailable) {
  public DeviceRequest {
    firstAvailable = List.copyOf(firstAvailable);
  }
}
