package dev.sluice.api.queue;

import dev.sluice.api.meta.Default;

/** Which workloads a workload of this queue may preempt. */
public record ClusterQueuePreemption(
    @Default("Never") ReclaimPolicy reclaimWithinCohort,
    @Default("{}") BorrowWithinCohort borrowWithinCohort,
    @Default("Never") WithinClusterQueuePolicy withinClusterQueue) {}
