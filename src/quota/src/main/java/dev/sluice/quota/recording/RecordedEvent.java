package dev.sluice.quota.recording;

import java.time.Instant;

/**
 * An event in the order of a recording.
 *
 * @param sequence starts at 1 for each engine
 * @param at the time that the engine was given
 */
public record RecordedEvent(long sequence, Instant at, Event event) {}
