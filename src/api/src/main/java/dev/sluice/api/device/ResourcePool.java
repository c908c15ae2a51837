package dev.sluice.api.device;

import dev.sluice.api.meta.Default;

/**
 * The devices that belong together, such as those of a node. A driver that changes them replaces
 * all slices of the pool.
 *
 * @param name unique for the driver
 * @param generation only slices of the highest one count
 * @param resourceSliceCount how many slices of this generation there are
 */
public record ResourcePool(
    String name, @Default("0") long generation, @Default("1") long resourceSliceCount) {}
