package dev.sluice.api.core;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.ObjectMeta;

/** A node: what placement reads of it. */
public record Node(
    @Default("{}") ObjectMeta metadata,
    @Default("{}") NodeSpec spec,
    @Default("{}") NodeStatus status) {}
