package dev.sluice.api.pod;

import org.jspecify.annotations.Nullable;

/** A claim on devices: one that exists, or a template for one. */
public record PodResourceClaim(
    String name, @Nullable String resourceClaimName, @Nullable String resourceClaimTemplateName) {}
