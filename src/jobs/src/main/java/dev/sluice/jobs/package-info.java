/**
 * How each kind of job is admitted and how it lives. {@link dev.sluice.jobs.JobKinds} lists the
 * kinds; {@link dev.sluice.jobs.JobPlanner} plans the next writes for one job. Pure: state in,
 * writes out.
 */
@NullMarked
package dev.sluice.jobs;

import org.jspecify.annotations.NullMarked;
