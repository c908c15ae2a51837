package dev.sluice.api.pod;

import org.jspecify.annotations.Nullable;

/** A claim of the pod that a container uses. */
public record ResourceClaim(String name, @Nullable String request) {}
