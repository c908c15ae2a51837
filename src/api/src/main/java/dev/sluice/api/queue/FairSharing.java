package dev.sluice.api.queue;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Default;

/** The weight of a node when unused quota is shared among siblings. */
public record FairSharing(@Default("1") Quantity weight) {}
