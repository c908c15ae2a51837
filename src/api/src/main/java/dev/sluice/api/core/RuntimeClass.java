package dev.sluice.api.core;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.ObjectMeta;
import org.jspecify.annotations.Nullable;

/** How pods are run, and what that costs. */
public record RuntimeClass(
    @Default("{}") ObjectMeta metadata, @Nullable RuntimeOverhead overhead) {}
