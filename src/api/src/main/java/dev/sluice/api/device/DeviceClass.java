package dev.sluice.api.device;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.ObjectMeta;

/** Devices that do for the same requests. */
public record DeviceClass(
    @Default("{}") ObjectMeta metadata, @Default("{}") DeviceClassSpec spec) {}
