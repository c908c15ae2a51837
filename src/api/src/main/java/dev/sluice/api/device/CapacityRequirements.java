package dev.sluice.api.device;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Copies;
import java.util.Map;

/**
 * What is needed of devices that several pods share.
 *
 * @param requests the amounts, by the name of the capacity
 */
public record CapacityRequirements(Map<String, Quantity> requests) {
  public CapacityRequirements {
    requests = Copies.of(requests);
  }
}
