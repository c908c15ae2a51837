package dev.sluice.api.workload;

/** The class that a priority came from. */
public record PriorityClassRef(PriorityClassGroup group, PriorityClassKind kind, String name) {}
