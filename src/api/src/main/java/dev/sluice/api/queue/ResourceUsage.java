package dev.sluice.api.queue;

import dev.sluice.api.Quantity;
import org.jspecify.annotations.Nullable;

/** What of one resource is in use, and how much of it is borrowed. */
public record ResourceUsage(String name, @Nullable Quantity total, @Nullable Quantity borrowed) {}
