/** Tests of {@code dev.sluice.scheduler.jobs}. */
@NullMarked
package dev.sluice.scheduler.jobs;

import org.jspecify.annotations.NullMarked;
