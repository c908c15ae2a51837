package dev.sluice.api.workload;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How often a workload went back to its queue, and when it may be tried again. */
public record RequeueState(@Nullable Integer count, @Nullable Instant requeueAt) {}
