/**
 * Topology-aware scheduling. This package has the values that Workloads store; {@code node} and
 * {@code domain} model the nodes, {@code capacity} keeps what workloads use of them, and {@code
 * placement} finds domains for pods. Start at {@link
 * dev.sluice.quota.topology.capacity.TopologyCache} and {@link
 * dev.sluice.quota.topology.placement.PlacementSearch}.
 */
@NullMarked
package dev.sluice.quota.topology;

import org.jspecify.annotations.NullMarked;
