/**
 * What was decided, and what was written because of it, as spans of OpenTelemetry. Only its API is
 * used here: what becomes of the spans is chosen by whoever starts the scheduler.
 */
@NullMarked
package dev.sluice.scheduler.trace;

import org.jspecify.annotations.NullMarked;
