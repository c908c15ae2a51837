/**
 * Jobs as their planner sees them. {@link dev.sluice.lifecycle.jobs.IndexedJobWorld} finds by
 * indexes what is asked for.
 */
@NullMarked
package dev.sluice.lifecycle.jobs;

import org.jspecify.annotations.NullMarked;
