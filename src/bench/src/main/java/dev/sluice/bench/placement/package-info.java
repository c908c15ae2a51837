/**
 * What placing pods by topology costs, for forests of different size. Start at {@link
 * dev.sluice.bench.placement.PlacementBenchmark}.
 */
@NullMarked
package dev.sluice.bench.placement;

import org.jspecify.annotations.NullMarked;
