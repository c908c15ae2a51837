/**
 * The status of queues, and the finalizers of referenced objects. Level-triggered: {@link
 * dev.sluice.scheduler.queue.QueueStatusController} checks all of them after a change, at most a
 * few times a second, and writes the differences.
 */
@NullMarked
package dev.sluice.scheduler.queue;

import org.jspecify.annotations.NullMarked;
