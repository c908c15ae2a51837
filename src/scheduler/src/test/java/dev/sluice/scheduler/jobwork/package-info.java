/** Tests of what finds the objects that concern a job. */
@NullMarked
package dev.sluice.scheduler.jobwork;

import org.jspecify.annotations.NullMarked;
