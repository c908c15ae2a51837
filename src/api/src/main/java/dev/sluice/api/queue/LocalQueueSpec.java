package dev.sluice.api.queue;

import dev.sluice.api.meta.Default;
import org.jspecify.annotations.Nullable;

/** Which ClusterQueue serves a LocalQueue. */
public record LocalQueueSpec(
    @Nullable String clusterQueue,
    @Default("None") StopPolicy stopPolicy,
    @Nullable FairSharing fairSharing) {}
