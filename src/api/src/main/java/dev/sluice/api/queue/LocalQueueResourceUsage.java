package dev.sluice.api.queue;

import dev.sluice.api.Quantity;
import org.jspecify.annotations.Nullable;

/** What of one resource the workloads of a LocalQueue have. */
public record LocalQueueResourceUsage(String name, @Nullable Quantity total) {}
