/**
 * The controller of jobs. {@link dev.sluice.scheduler.jobs.JobController} plans each job that a
 * change affects, and sends the writes.
 */
@NullMarked
package dev.sluice.scheduler.jobs;

import org.jspecify.annotations.NullMarked;
