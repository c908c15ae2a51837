package dev.sluice.api.device;

/**
 * An expression about a device.
 *
 * @param expression in CEL, with the variable {@code device}
 */
public record CelSelector(String expression) {}
