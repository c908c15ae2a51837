package dev.sluice.api.core;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.ObjectMeta;

/** A priority of pods. */
public record PriorityClass(
    @Default("{}") ObjectMeta metadata, int value, @Default("false") boolean globalDefault) {}
