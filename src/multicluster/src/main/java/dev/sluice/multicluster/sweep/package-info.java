/** Takes from workers what bears our origin and belongs to no Workload here. */
@NullMarked
package dev.sluice.multicluster.sweep;

import org.jspecify.annotations.NullMarked;
