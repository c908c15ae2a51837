package dev.sluice.api.device;

/** One of several sorts of devices that would do. */
public record DeviceAlternative(String name) {}
