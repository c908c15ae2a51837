package dev.sluice.api.device;

import dev.sluice.api.meta.Default;
import java.util.List;

/**
 * What a driver says of some of its devices.
 *
 * @param driver the name of the driver
 */
public record ResourceSliceSpec(
    String driver, @Default("{}") ResourcePool pool, List<Device> devices) {
  public ResourceSliceSpec {
    devices = List.copyOf(devices);
  }
}
