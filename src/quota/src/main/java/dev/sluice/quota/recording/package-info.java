/**
 * The flight recorder's format: all that an engine is told, and what it decided, as bytes, and the
 * replay of those bytes. Start at {@link dev.sluice.quota.recording.SegmentWriter} to write, at
 * {@link dev.sluice.quota.recording.SegmentReader} to read, and at {@link
 * dev.sluice.quota.recording.Replay} to decide again. Files, threads and clocks are the caller's.
 */
@NullMarked
package dev.sluice.quota.recording;

import org.jspecify.annotations.NullMarked;
