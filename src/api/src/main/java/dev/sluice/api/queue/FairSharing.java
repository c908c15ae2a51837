package dev.sluice.api.queue;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Default;

/** What share of the unused quota somebody may claim, compared with the siblings. */
public record FairSharing(@Default("1") Quantity weight) {}
