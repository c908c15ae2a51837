package dev.sluice.api.workload;

import org.jspecify.annotations.Nullable;

/** The values of one level: one for all domains of the slice, or one for each. */
public record TopologyAssignmentSliceLevelValues(
    @Nullable String universal,
    @Nullable TopologyAssignmentSliceLevelIndividualValues individual) {}
