package dev.sluice.api.device;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Property;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much of a capacity a claim takes.
 *
 * @param byDefault what it takes if it asks for nothing; null for all
 * @param validValues the only amounts that can be had, in order; empty for any
 * @param validRange bounds and steps of what can be had, or null
 */
public record CapacityRequestPolicy(
    @Property("default") @Nullable Quantity byDefault,
    List<Quantity> validValues,
    @Nullable CapacityRange validRange) {
  public CapacityRequestPolicy {
    validValues = List.copyOf(validValues);
  }
}
