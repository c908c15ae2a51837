/**
 * A simulated cluster: objects from manifests, the quota engine and the controllers, and a clock
 * that moves only on request. Start at {@link dev.sluice.server.world.SimulatedCluster}.
 */
@NullMarked
package dev.sluice.server.world;

import org.jspecify.annotations.NullMarked;
