package dev.sluice.api.workload;

import dev.sluice.api.meta.Default;

/**
 * The class that a priority came from.
 *
 * @param name empty where Kueue converted a source without a name, which stands for no class
 */
public record PriorityClassRef(
    PriorityClassGroup group, PriorityClassKind kind, @Default("") String name) {}
