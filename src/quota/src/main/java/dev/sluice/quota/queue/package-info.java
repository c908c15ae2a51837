/**
 * The workloads that wait in ClusterQueues: their order, which of them are parked, and which events
 * wake them. Start at {@link dev.sluice.quota.queue.QueueManager} for all queues, {@link
 * dev.sluice.quota.queue.PendingQueue} for one.
 */
@NullMarked
package dev.sluice.quota.queue;

import org.jspecify.annotations.NullMarked;
