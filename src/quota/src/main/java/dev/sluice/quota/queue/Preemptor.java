package dev.sluice.quota.queue;

import dev.sluice.api.meta.ObjectKey;

/**
 * The workload of a queue for which others are evicted.
 *
 * @param generation of its object when that was decided
 * @param sticky whether it comes before all others of the queue until it is served
 */
public record Preemptor(ObjectKey workload, long generation, boolean sticky) {}
