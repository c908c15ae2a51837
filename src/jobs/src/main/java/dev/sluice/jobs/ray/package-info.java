/** RayCluster, RayJob and RayService. */
@NullMarked
package dev.sluice.jobs.ray;

import org.jspecify.annotations.NullMarked;
