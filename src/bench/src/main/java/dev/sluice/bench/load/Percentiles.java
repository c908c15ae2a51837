package dev.sluice.bench.load;

import java.time.Duration;

/** Latencies: half of the requests took at most {@code p50}, and so on. */
public record Percentiles(Duration p50, Duration p99, Duration max) {}
