/**
 * The objects of the cluster as the engine reads them: workloads with their requests and usage,
 * ClusterQueues with their rules compiled. Start at {@link dev.sluice.quota.world.WorkloadState}.
 */
@NullMarked
package dev.sluice.quota.world;

import org.jspecify.annotations.NullMarked;
