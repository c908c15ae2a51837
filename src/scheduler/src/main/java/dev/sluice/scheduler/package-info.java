/**
 * The sidecar: watches feed the quota engine, and what it decides is written to the API server.
 * Start with {@link dev.sluice.scheduler.Scheduler}, which puts the parts together: {@code store}
 * has what is seen, {@code engine} decides, {@code workload}, {@code queue} and {@code jobs} plan
 * what to write, {@code place} binds pods to their places, {@code write} sends it, {@code lead}
 * says whether we may.
 */
@NullMarked
package dev.sluice.scheduler;

import org.jspecify.annotations.NullMarked;
