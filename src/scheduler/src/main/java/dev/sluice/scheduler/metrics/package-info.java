/**
 * The metrics: those of Kueue with its names ({@code kueue_}), the others with ours ({@code
 * sluice_}). Start with {@link dev.sluice.scheduler.metrics.SchedulerMetrics}: it counts events,
 * and computes the state of queues on each scrape.
 */
@NullMarked
package dev.sluice.scheduler.metrics;

import org.jspecify.annotations.NullMarked;
