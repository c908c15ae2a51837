/**
 * Writes to the API server: controllers plan {@link dev.sluice.api.write.Write}s from the observed
 * state, and one class sends them. {@link dev.sluice.scheduler.write.WorkloadWriteLock} serialises
 * those that depend on each other.
 */
@NullMarked
package dev.sluice.scheduler.write;

import org.jspecify.annotations.NullMarked;
