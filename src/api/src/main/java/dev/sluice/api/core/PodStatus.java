package dev.sluice.api.core;

import org.jspecify.annotations.Nullable;

/** How far a pod is: Pending, Running, Succeeded, Failed or Unknown. */
public record PodStatus(@Nullable String phase) {}
