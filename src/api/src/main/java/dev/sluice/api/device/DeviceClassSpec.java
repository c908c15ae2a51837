package dev.sluice.api.device;

import org.jspecify.annotations.Nullable;

/**
 * What is said of a class.
 *
 * @param extendedResourceName a resource of containers that these devices serve, or null
 */
public record DeviceClassSpec(@Nullable String extendedResourceName) {}
