/**
 * Concurrent admission: a Workload is tried on each flavor of its ClusterQueue at once, by a
 * variant for each. Start at {@link dev.sluice.lifecycle.variant.VariantPlanner}.
 */
@NullMarked
package dev.sluice.lifecycle.variant;

import org.jspecify.annotations.NullMarked;
