package dev.sluice.api.flavor;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What keeps pods off a node; the effect is NoSchedule, PreferNoSchedule or NoExecute. */
public record Taint(
    String key, @Nullable String value, String effect, @Nullable Instant timeAdded) {}
