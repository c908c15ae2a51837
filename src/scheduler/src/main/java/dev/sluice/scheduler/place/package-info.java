/**
 * Pods to their places: each pod of an admitted workload gets the node labels of its domain, and
 * its gate is taken off. {@link dev.sluice.lifecycle.place.Ungater} is pure and says what to write;
 * {@link dev.sluice.scheduler.place.TopologyUngaterController} writes it, one workload after the
 * other.
 */
@NullMarked
package dev.sluice.scheduler.place;

import org.jspecify.annotations.NullMarked;
