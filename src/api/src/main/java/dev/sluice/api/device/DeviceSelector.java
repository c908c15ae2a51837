package dev.sluice.api.device;

import dev.sluice.api.meta.Default;

/** A condition that a device has to meet. */
public record DeviceSelector(@Default("{}") CelSelector cel) {}
