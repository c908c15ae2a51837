package dev.sluice.api.core;

import dev.sluice.api.meta.ConditionStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One thing that is observed of a node. */
public record NodeCondition(
    String type, ConditionStatus status, @Nullable Instant lastTransitionTime) {}
