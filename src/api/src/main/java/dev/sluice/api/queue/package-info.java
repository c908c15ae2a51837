/**
 * Queues and cohorts: quotas, lending and borrowing, and their rules. Start at {@link
 * dev.sluice.api.queue.ClusterQueue}.
 */
@NullMarked
package dev.sluice.api.queue;

import org.jspecify.annotations.NullMarked;
