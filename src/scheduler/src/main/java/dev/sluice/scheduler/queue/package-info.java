/**
 * The status of queues, and the finalizers of what others refer to. Level-triggered: {@link
 * dev.sluice.scheduler.queue.QueueStatusController} goes over all of them after something moved, at
 * most a few times a second, and writes what differs.
 */
@NullMarked
package dev.sluice.scheduler.queue;

import org.jspecify.annotations.NullMarked;
