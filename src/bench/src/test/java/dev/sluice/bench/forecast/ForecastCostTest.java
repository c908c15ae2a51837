package dev.sluice.bench.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.FullTier;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The short form of {@code src/bench/run forecast-cost}. */
@FullTier
class ForecastCostTest {
  @Test
  void forecastsAWindowForEachOfAboutSoManyThatWait() {
    List<ForecastCost.Round> rounds = ForecastCost.run(2, 150, 2);

    assertThat(rounds)
        .hasSize(2)
        .allSatisfy(
            it -> {
              assertThat(it.waiting()).isBetween(50, 300);
              assertThat(it.plays()).isBetween(2, 32);
              assertThat(it.cpu()).isPositive();
              assertThat(it.statuses()).containsOnlyKeys("Window");
            });
  }
}
