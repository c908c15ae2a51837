package dev.sluice.api.queue;

import dev.sluice.api.Quantity;
import org.jspecify.annotations.Nullable;

/** How much of one resource of a flavor is there, may be borrowed, and may be lent. */
public record ResourceQuota(
    String name,
    Quantity nominalQuota,
    @Nullable Quantity borrowingLimit,
    @Nullable Quantity lendingLimit) {}
