/**
 * The objects of the cluster as the engine reads them: workloads with what they ask for and use,
 * ClusterQueues with their rules compiled. Start at {@link dev.sluice.quota.world.WorkloadState}.
 */
@NullMarked
package dev.sluice.quota.world;

import org.jspecify.annotations.NullMarked;
