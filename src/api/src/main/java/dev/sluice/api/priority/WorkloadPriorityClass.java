package dev.sluice.api.priority;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.HubObject;
import dev.sluice.api.meta.ObjectMeta;
import org.jspecify.annotations.Nullable;

/** A priority in the queues that leaves the priority of the pods alone. */
public record WorkloadPriorityClass(
    @Default("{}") ObjectMeta metadata, int value, @Nullable String description)
    implements HubObject {}
