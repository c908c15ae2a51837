/**
 * A cluster that exists only here: objects from manifests, the quota engine that decides about
 * them, and a clock that moves when it is told to. Start at {@link
 * dev.sluice.cli.world.SimulatedCluster}.
 */
@NullMarked
package dev.sluice.cli.world;

import org.jspecify.annotations.NullMarked;
