package dev.sluice.api.queue;

import dev.sluice.api.meta.Default;
import org.jspecify.annotations.Nullable;

/** Whether a workload may preempt others in the cohort while it borrows itself. */
public record BorrowWithinCohort(
    @Default("Never") BorrowWithinCohortPolicy policy, @Nullable Integer maxPriorityThreshold) {}
