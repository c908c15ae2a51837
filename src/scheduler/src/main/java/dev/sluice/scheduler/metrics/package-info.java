/**
 * What is measured: with Kueue's names ({@code kueue_}) what it measures, too, and with ours
 * ({@code sluice_}) the rest. Start with {@link dev.sluice.scheduler.metrics.SchedulerMetrics}: it
 * counts what happens when it is told, and finds out how queues are when somebody asks.
 */
@NullMarked
package dev.sluice.scheduler.metrics;

import org.jspecify.annotations.NullMarked;
