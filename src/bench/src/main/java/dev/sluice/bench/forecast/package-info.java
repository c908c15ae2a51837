/**
 * How good forecasts are: queues of known kinds of load are played in virtual time, and what was
 * forecast is compared with what came. Start at {@link dev.sluice.bench.forecast.ForecastTrial}.
 */
@NullMarked
package dev.sluice.bench.forecast;

import org.jspecify.annotations.NullMarked;
