package dev.sluice.api.queue;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.HubObject;
import dev.sluice.api.meta.ObjectMeta;

/** Queues and other cohorts that lend quota to each other, with quota of its own. */
public record Cohort(
    @Default("{}") ObjectMeta metadata,
    @Default("{}") CohortSpec spec,
    @Default("{}") CohortStatus status)
    implements HubObject {}
