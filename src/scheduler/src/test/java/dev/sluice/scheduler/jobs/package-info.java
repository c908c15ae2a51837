/** What becomes of jobs, told with real objects. */
@NullMarked
package dev.sluice.scheduler.jobs;

import org.jspecify.annotations.NullMarked;
