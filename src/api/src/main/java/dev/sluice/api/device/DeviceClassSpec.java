package dev.sluice.api.device;

import org.jspecify.annotations.Nullable;

/**
 * The spec of a device class.
 *
 * @param extendedResourceName a resource of containers that these devices serve, or null
 */
public record DeviceClassSpec(@Nullable String extendedResourceName) {}
