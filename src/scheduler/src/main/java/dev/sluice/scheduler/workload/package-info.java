/**
 * The life of a Workload beside the engine: checks listed and answered, evictions, backoff,
 * deactivation, timeouts, retention. {@link dev.sluice.scheduler.workload.WorkloadReconciler} is
 * pure: it looks at one Workload and says what to write next. {@link
 * dev.sluice.scheduler.workload.WorkloadController} writes that, and what the engine decided, one
 * after the other for each Workload.
 */
@NullMarked
package dev.sluice.scheduler.workload;

import org.jspecify.annotations.NullMarked;
