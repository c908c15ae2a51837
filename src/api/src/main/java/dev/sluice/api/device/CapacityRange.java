package dev.sluice.api.device;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Default;
import org.jspecify.annotations.Nullable;

/**
 * The amounts of a capacity that can be had.
 *
 * @param step what they are apart, from {@code min} on; null for any amount in between
 */
public record CapacityRange(
    @Default("0") Quantity min, @Nullable Quantity max, @Nullable Quantity step) {}
