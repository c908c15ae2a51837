package dev.sluice.api.device;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.ObjectMeta;

/** Some of the devices that a driver has. */
public record ResourceSlice(
    @Default("{}") ObjectMeta metadata, @Default("{}") ResourceSliceSpec spec) {}
