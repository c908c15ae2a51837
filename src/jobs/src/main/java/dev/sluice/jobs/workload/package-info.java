/** The Workload of a job: its parts, its conditions and the writes that end it. */
@NullMarked
package dev.sluice.jobs.workload;

import org.jspecify.annotations.NullMarked;
