/**
 * What the sidecar asks of the API server, as values: controllers plan {@link
 * dev.sluice.api.write.Write}s from what they see, and one place sends them. {@link
 * dev.sluice.scheduler.write.WorkloadWriteLock} keeps apart those that must not meet.
 */
@NullMarked
package dev.sluice.scheduler.write;

import org.jspecify.annotations.NullMarked;
