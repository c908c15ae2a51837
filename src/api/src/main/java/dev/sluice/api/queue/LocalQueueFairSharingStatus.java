package dev.sluice.api.queue;

import org.jspecify.annotations.Nullable;

/** The share of a LocalQueue. */
public record LocalQueueFairSharingStatus(
    long weightedShare, @Nullable AdmissionFairSharingStatus admissionFairSharingStatus) {}
