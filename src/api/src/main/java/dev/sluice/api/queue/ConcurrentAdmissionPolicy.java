package dev.sluice.api.queue;

/** How variants of one workload, each for a flavor of its own, are treated. */
public record ConcurrentAdmissionPolicy(ConcurrentAdmissionMigration migration) {}
