package dev.sluice.see.history;

import dev.sluice.quota.amount.Usage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Quota that a Workload holds or held.
 *
 * @param reserved when the reservation began
 * @param since when it began to hold these amounts: then, or when they changed last
 * @param admitted when its job was allowed to run; null if it was not
 */
public record Held(
    String clusterQueue,
    Instant reserved,
    Instant since,
    @Nullable Instant admitted,
    Usage amounts) {}
