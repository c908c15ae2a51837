/**
 * Keeps the history of Workloads and quotas in a folder: append-only segments of JSON lines. Start
 * at {@link dev.sluice.server.history.HistoryRecorder}, and at {@link
 * dev.sluice.server.history.HistoryFiles} for reading.
 */
@NullMarked
package dev.sluice.server.history;

import org.jspecify.annotations.NullMarked;
