package dev.sluice.api.workload;

/** The number of pods of a set that are no longer needed. */
public record ReclaimablePod(String name, int count) {}
