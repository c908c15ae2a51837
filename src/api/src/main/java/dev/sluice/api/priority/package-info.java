/** Priorities of workloads. Start at {@link dev.sluice.api.priority.WorkloadPriorityClass}. */
@NullMarked
package dev.sluice.api.priority;

import org.jspecify.annotations.NullMarked;
