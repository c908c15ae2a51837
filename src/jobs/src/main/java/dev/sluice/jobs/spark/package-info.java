/** The SparkApplication. */
@NullMarked
package dev.sluice.jobs.spark;

import org.jspecify.annotations.NullMarked;
