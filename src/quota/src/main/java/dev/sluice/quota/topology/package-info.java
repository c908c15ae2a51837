/**
 * Where pods run: the domains of each flavor's topology, what is free and what is taken in them,
 * and the search for room (reference: 6). Start at {@link
 * dev.sluice.quota.topology.capacity.TopologyCache}, which is told of the cluster, and {@link
 * dev.sluice.quota.topology.placement.Placer}, which finds domains.
 */
@NullMarked
package dev.sluice.quota.topology;

import org.jspecify.annotations.NullMarked;
