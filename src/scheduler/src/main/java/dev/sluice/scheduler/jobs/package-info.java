/**
 * Plans of jobs carried out. {@link dev.sluice.scheduler.jobs.JobController} asks the planner of
 * jobs for each job that something touched, and sends what it says.
 */
@NullMarked
package dev.sluice.scheduler.jobs;

import org.jspecify.annotations.NullMarked;
