package dev.sluice.api.device;

import dev.sluice.api.meta.Default;

/** The claim that is made for a pod. */
public record ResourceClaimTemplateSpec(@Default("{}") ResourceClaimSpec spec) {}
