/**
 * The ClusterQueues and Workloads of the cluster, kept in step with the queues they wait in and the
 * quota they hold.
 */
@NullMarked
package dev.sluice.quota.cache;

import org.jspecify.annotations.NullMarked;
