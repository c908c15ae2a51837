package dev.sluice.api.pod;

import org.jspecify.annotations.Nullable;

/** Where a pod wants to run: the part about nodes. */
public record Affinity(@Nullable NodeAffinity nodeAffinity) {}
