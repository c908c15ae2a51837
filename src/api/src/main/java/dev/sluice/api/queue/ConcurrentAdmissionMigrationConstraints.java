package dev.sluice.api.queue;

import org.jspecify.annotations.Nullable;

/** The last flavor in order that is still good enough to migrate to. */
public record ConcurrentAdmissionMigrationConstraints(@Nullable String lastAcceptableFlavorName) {}
