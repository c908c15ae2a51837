/**
 * Plans of jobs carried out. {@link dev.sluice.scheduler.jobwork.JobWork} asks the planner of jobs
 * for each job that something touched, and sends what it says.
 */
@NullMarked
package dev.sluice.scheduler.jobwork;

import org.jspecify.annotations.NullMarked;
