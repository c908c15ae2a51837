/** Finds domains for the pods of a workload. */
@NullMarked
package dev.sluice.quota.topology.placement;

import org.jspecify.annotations.NullMarked;
