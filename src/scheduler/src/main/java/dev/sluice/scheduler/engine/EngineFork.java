package dev.sluice.scheduler.engine;

import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;

/**
 * An engine of its own in the state that another one published.
 *
 * @param engine for the thread that asked, or one at a time
 * @param snapshot that state, the same object as the loop had published
 */
public record EngineFork(QuotaEngine engine, Snapshot snapshot) {}
