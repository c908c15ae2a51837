package dev.sluice.api.device;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The spec of a device class.
 *
 * @param selectors what each device of the class meets
 * @param extendedResourceName a resource of containers that these devices serve, or null
 */
public record DeviceClassSpec(
    List<DeviceSelector> selectors, @Nullable String extendedResourceName) {
  public DeviceClassSpec {
    selectors = List.copyOf(selectors);
  }
}
