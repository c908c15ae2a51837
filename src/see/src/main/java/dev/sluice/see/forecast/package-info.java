/**
 * When waiting Workloads will start, as a band of times: the queues are played forward several
 * times, each with other run times and arrivals. Start at {@link
 * dev.sluice.see.forecast.Forecaster}.
 */
@NullMarked
package dev.sluice.see.forecast;

import org.jspecify.annotations.NullMarked;
