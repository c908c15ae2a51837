/**
 * Decisions and the writes that follow from them, as spans of OpenTelemetry. Only its API is used
 * here; the starter of the scheduler chooses the exporter.
 */
@NullMarked
package dev.sluice.scheduler.trace;

import org.jspecify.annotations.NullMarked;
