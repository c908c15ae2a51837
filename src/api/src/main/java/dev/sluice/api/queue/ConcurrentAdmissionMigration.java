package dev.sluice.api.queue;

import org.jspecify.annotations.Nullable;

/** Whether a running variant is evicted for one on a better flavor. */
public record ConcurrentAdmissionMigration(
    ConcurrentAdmissionMigrationMode mode,
    @Nullable ConcurrentAdmissionMigrationConstraints constraints) {}
