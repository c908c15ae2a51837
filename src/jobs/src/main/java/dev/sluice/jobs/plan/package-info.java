/**
 * What a planner reads and returns: the view of the cluster, settings, keys, and the writes of a
 * plan.
 */
@NullMarked
package dev.sluice.jobs.plan;

import org.jspecify.annotations.NullMarked;
