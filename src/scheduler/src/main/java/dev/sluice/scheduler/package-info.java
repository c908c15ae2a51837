/**
 * The scheduler: watches feed the quota engine, and its decisions are written to the API server.
 * Start with {@link dev.sluice.scheduler.Scheduler}, which puts the parts together: {@code store}
 * has the observed objects, {@code engine} decides, {@code workload}, {@code queue} and {@code
 * jobs} plan what to write, {@code place} binds pods to their places, {@code write} sends it,
 * {@code lead} elects the leader.
 */
@NullMarked
package dev.sluice.scheduler;

import org.jspecify.annotations.NullMarked;
