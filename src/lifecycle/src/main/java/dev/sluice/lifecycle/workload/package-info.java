/**
 * The lifecycle of a Workload beside the decisions of the engine: checks, evictions, backoff,
 * timeouts, its end. {@link dev.sluice.lifecycle.workload.WorkloadReconciler} plans one step at a
 * time from {@link dev.sluice.lifecycle.workload.WorkloadDependencies}; {@link
 * dev.sluice.lifecycle.workload.WorkloadTriggers} finds the Workloads that a change affects.
 */
@NullMarked
package dev.sluice.lifecycle.workload;

import org.jspecify.annotations.NullMarked;
