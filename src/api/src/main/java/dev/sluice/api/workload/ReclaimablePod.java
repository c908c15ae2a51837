package dev.sluice.api.workload;

/** So many pods of a set are not needed any more. */
public record ReclaimablePod(String name, int count) {}
