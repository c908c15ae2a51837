package dev.sluice.api.core;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.ObjectMeta;

/** A namespace. */
public record Namespace(@Default("{}") ObjectMeta metadata) {}
