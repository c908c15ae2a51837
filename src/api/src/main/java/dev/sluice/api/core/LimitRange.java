package dev.sluice.api.core;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.ObjectMeta;

/** Bounds and defaults for what runs in a namespace. */
public record LimitRange(@Default("{}") ObjectMeta metadata, @Default("{}") LimitRangeSpec spec) {}
