/** The Job of {@code batch/v1}. */
@NullMarked
package dev.sluice.jobs.batch;

import org.jspecify.annotations.NullMarked;
