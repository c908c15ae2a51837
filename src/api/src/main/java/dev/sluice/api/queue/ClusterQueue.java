package dev.sluice.api.queue;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.HubObject;
import dev.sluice.api.meta.ObjectMeta;

/** Quota that LocalQueues of many namespaces share. */
public record ClusterQueue(
    @Default("{}") ObjectMeta metadata,
    @Default("{}") ClusterQueueSpec spec,
    @Default("{}") ClusterQueueStatus status)
    implements HubObject {}
