package dev.sluice.server.see;

import dev.sluice.see.forecast.Score;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How good forecasts were: one gauge of each kind for each ClusterQueue. Thread-safe. */
final class ScoreGauges {
  private final MultiGauge coverage;
  private final MultiGauge error;
  private final MultiGauge pinball;

  ScoreGauges(MeterRegistry registry) {
    coverage =
        MultiGauge.builder("sluice_forecast_coverage_ratio")
            .description("The part of the last starts within the bands that were forecast.")
            .register(registry);
    error =
        MultiGauge.builder("sluice_forecast_error_seconds")
            .description("The median distance of the last starts from the forecast middles.")
            .register(registry);
    pinball =
        MultiGauge.builder("sluice_forecast_pinball")
            .description("The mean pinball loss of the last forecasts, in seconds.")
            .register(registry);
  }

  synchronized void renew(Map<String, Score> scores) {
    List<MultiGauge.Row<?>> covered = new ArrayList<>();
    List<MultiGauge.Row<?>> errors = new ArrayList<>();
    List<MultiGauge.Row<?>> losses = new ArrayList<>();
    scores.forEach(
        (queue, score) -> {
          Tags tags = Tags.of("cluster_queue", queue);
          covered.add(MultiGauge.Row.of(tags, score.coverage()));
          errors.add(MultiGauge.Row.of(tags, score.medianErrorSeconds()));
          losses.add(MultiGauge.Row.of(tags, score.pinball()));
        });
    coverage.register(covered, true);
    error.register(errors, true);
    pinball.register(losses, true);
  }
}
