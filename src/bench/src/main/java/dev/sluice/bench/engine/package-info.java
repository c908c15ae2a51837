/**
 * How fast and how large the quota engine is: benchmarks of JMH, memory, and whole clusters played
 * through in simulated time. Start at {@link dev.sluice.bench.engine.EngineMeasurements}.
 */
@NullMarked
package dev.sluice.bench.engine;

import org.jspecify.annotations.NullMarked;
