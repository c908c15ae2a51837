package dev.sluice.bench.forecast;

import dev.sluice.api.workload.Workload;
import java.time.Instant;

/**
 * A job of a load.
 *
 * @param seconds that it runs, which no forecast knows
 */
record Job(Instant arrives, Workload workload, double seconds) {}
