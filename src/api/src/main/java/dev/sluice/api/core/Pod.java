package dev.sluice.api.core;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.pod.PodSpec;

/** A pod: what it takes of its node. */
public record Pod(
    @Default("{}") ObjectMeta metadata,
    @Default("{}") PodSpec spec,
    @Default("{}") PodStatus status) {}
