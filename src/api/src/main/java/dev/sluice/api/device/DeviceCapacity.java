package dev.sluice.api.device;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Default;
import org.jspecify.annotations.Nullable;

/**
 * An amount that a device has.
 *
 * @param requestPolicy how much of it a claim takes; null for what it asks for, or all
 */
public record DeviceCapacity(
    @Default("0") Quantity value, @Nullable CapacityRequestPolicy requestPolicy) {}
