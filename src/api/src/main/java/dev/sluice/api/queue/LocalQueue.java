package dev.sluice.api.queue;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.HubObject;
import dev.sluice.api.meta.ObjectMeta;

/** Where the workloads of a namespace queue up for a ClusterQueue. */
public record LocalQueue(
    @Default("{}") ObjectMeta metadata,
    @Default("{}") LocalQueueSpec spec,
    @Default("{}") LocalQueueStatus status)
    implements HubObject {}
