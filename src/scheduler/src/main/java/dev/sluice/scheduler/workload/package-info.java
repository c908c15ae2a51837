/**
 * Status writes of Workloads. {@link dev.sluice.scheduler.workload.WorkloadController} writes what
 * the engine decided, and what {@link dev.sluice.lifecycle.workload.WorkloadReconciler} plans, one
 * after the other for each Workload.
 */
@NullMarked
package dev.sluice.scheduler.workload;

import org.jspecify.annotations.NullMarked;
