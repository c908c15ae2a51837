/**
 * The flight recorder: writes what the engine is told and decides to a folder, and reads it again.
 * Start with {@link dev.sluice.scheduler.recorder.FlightRecorder} and {@link
 * dev.sluice.scheduler.recorder.RecordingReader}; {@code dev.sluice.quota.recording} has the
 * format.
 */
@NullMarked
package dev.sluice.scheduler.recorder;

import org.jspecify.annotations.NullMarked;
