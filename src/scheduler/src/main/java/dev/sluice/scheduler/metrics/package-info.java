/**
 * What is measured: with the peer's names ({@code kueue_}) what it measures, too, and with ours
 * ({@code sluice_}) the rest. {@link dev.sluice.scheduler.metrics.WorkloadMetrics} counts what is
 * seen to happen to Workloads, whoever did it; {@link dev.sluice.scheduler.metrics.QueueMetrics}
 * says how queues are.
 */
@NullMarked
package dev.sluice.scheduler.metrics;

import org.jspecify.annotations.NullMarked;
