package dev.sluice.api.queue;

import org.jspecify.annotations.Nullable;

/** The share of a cohort among its siblings. */
public record CohortStatus(@Nullable FairSharingStatus fairSharing) {}
