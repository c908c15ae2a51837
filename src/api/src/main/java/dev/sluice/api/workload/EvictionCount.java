package dev.sluice.api.workload;

/** How often a workload was evicted for a reason. */
public record EvictionCount(String reason, String underlyingCause, int count) {}
