/** The JobSet. */
@NullMarked
package dev.sluice.jobs.jobset;

import org.jspecify.annotations.NullMarked;
