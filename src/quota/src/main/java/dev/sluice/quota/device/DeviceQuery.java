package dev.sluice.quota.device;

import dev.sluice.api.Quantity;
import dev.sluice.api.configuration.Scheduling.DeviceSource;
import dev.sluice.api.meta.Copies;
import java.util.List;
import java.util.Map;

/**
 * A question about devices: what one counts as that a claim gets.
 *
 * @param sources of which devices, and what of them counts
 * @param selectors expressions that each device meets
 * @param requested what the claim asks for of the capacity of a device, by name
 */
record DeviceQuery(
    List<DeviceSource> sources, List<String> selectors, Map<String, Quantity> requested) {
  DeviceQuery {
    sources = List.copyOf(sources);
    selectors = List.copyOf(selectors);
    requested = Copies.of(requested);
  }
}
