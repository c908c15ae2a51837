/**
 * Sends reviews and measures: as many as possible, or at a fixed rate, or in memory without a
 * server. Start at {@link dev.sluice.bench.load.LoadClient}.
 */
@NullMarked
package dev.sluice.bench.load;

import org.jspecify.annotations.NullMarked;
