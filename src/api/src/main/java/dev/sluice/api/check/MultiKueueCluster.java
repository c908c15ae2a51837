package dev.sluice.api.check;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.HubObject;
import dev.sluice.api.meta.ObjectMeta;

/** A worker cluster. */
public record MultiKueueCluster(
    @Default("{}") ObjectMeta metadata,
    @Default("{}") MultiKueueClusterSpec spec,
    @Default("{}") MultiKueueClusterStatus status)
    implements HubObject {}
