package dev.sluice.api.queue;

import dev.sluice.api.meta.Default;
import org.jspecify.annotations.Nullable;

/** When the search continues with the next flavor although this one would fit. */
public record FlavorFungibility(
    @Default("MayStopSearch") FlavorFungibilityPolicy whenCanBorrow,
    @Default("TryNextFlavor") FlavorFungibilityPolicy whenCanPreempt,
    @Nullable FlavorFungibilityPreference preference) {}
