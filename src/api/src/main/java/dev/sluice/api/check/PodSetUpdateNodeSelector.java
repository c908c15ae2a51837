package dev.sluice.api.check;

/** A node label, and the detail of the request that has its value. */
public record PodSetUpdateNodeSelector(String key, String valueFromProvisioningClassDetail) {}
