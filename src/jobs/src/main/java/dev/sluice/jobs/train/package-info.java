/** The TrainJob. */
@NullMarked
package dev.sluice.jobs.train;

import org.jspecify.annotations.NullMarked;
