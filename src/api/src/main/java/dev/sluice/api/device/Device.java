package dev.sluice.api.device;

import dev.sluice.api.meta.Copies;
import dev.sluice.api.meta.Default;
import java.util.List;
import java.util.Map;

/**
 * One device.
 *
 * @param attributes what selectors ask for; a name without a domain is of the driver's
 * @param capacity what it has; a name without a domain is of the driver's
 * @param consumesCounters what it takes of the hardware that it shares with other devices
 * @param allowMultipleAllocations whether several claims may share it
 */
public record Device(
    String name,
    Map<String, DeviceAttribute> attributes,
    Map<String, DeviceCapacity> capacity,
    List<CounterConsumption> consumesCounters,
    @Default("false") boolean allowMultipleAllocations) {
  public Device {
    attributes = Copies.of(attributes);
    capacity = Copies.of(capacity);
    consumesCounters = List.copyOf(consumesCounters);
  }
}
