/**
 * The rules for a ClusterQueue. Start at {@link
 * dev.sluice.webhook.rules.clusterqueue.ClusterQueueRules}.
 */
@NullMarked
package dev.sluice.webhook.rules.clusterqueue;

import org.jspecify.annotations.NullMarked;
