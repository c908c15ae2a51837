/**
 * Queues and cohorts: who offers quota to whom, how much, and by which rules. Start at {@link
 * dev.sluice.api.queue.ClusterQueue}.
 */
@NullMarked
package dev.sluice.api.queue;

import org.jspecify.annotations.NullMarked;
