/**
 * What becomes of jobs: exactly one Workload each, started when it is admitted, stopped and put
 * back as it was when it is not. Pure: a planner looks at a world and says what to write next.
 * Start with {@link dev.sluice.scheduler.jobs.JobPlanner}, then {@link
 * dev.sluice.scheduler.jobs.JobWorld}, which is all that it knows.
 */
@NullMarked
package dev.sluice.scheduler.jobs;

import org.jspecify.annotations.NullMarked;
