/**
 * Who waits in a ClusterQueue: in which order, who is parked, and what wakes them (reference: 3).
 * Start at {@link dev.sluice.quota.queue.PendingQueue}.
 */
@NullMarked
package dev.sluice.quota.queue;

import org.jspecify.annotations.NullMarked;
