/**
 * The objects of the job planner. {@link dev.sluice.lifecycle.jobs.IndexedJobWorld} finds them by
 * indexes.
 */
@NullMarked
package dev.sluice.lifecycle.jobs;

import org.jspecify.annotations.NullMarked;
