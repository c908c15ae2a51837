/**
 * Placement of pods: each pod of an admitted workload gets the node labels of its domain, and its
 * gate is removed. {@link dev.sluice.lifecycle.place.Ungater} is pure and plans the writes; {@link
 * dev.sluice.scheduler.place.TopologyUngaterController} sends them, one workload after the other.
 */
@NullMarked
package dev.sluice.scheduler.place;

import org.jspecify.annotations.NullMarked;
