package dev.sluice.api.device;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Default;

/** An amount of a counter. */
public record Counter(@Default("0") Quantity value) {}
