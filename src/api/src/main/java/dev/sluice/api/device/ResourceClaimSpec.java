package dev.sluice.api.device;

import dev.sluice.api.meta.Default;

/** What a claim is about. */
public record ResourceClaimSpec(@Default("{}") DeviceClaim devices) {}
