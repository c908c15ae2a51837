/**
 * What a Workload goes through beside the decisions of the engine: its checks, evictions, backoff,
 * timeouts, its end. {@link dev.sluice.lifecycle.workload.WorkloadReconciler} plans one step at a
 * time, from what {@link dev.sluice.lifecycle.workload.WorkloadDependencies} tells; {@link
 * dev.sluice.lifecycle.workload.WorkloadTriggers} says which Workloads a change concerns.
 */
@NullMarked
package dev.sluice.lifecycle.workload;

import org.jspecify.annotations.NullMarked;
