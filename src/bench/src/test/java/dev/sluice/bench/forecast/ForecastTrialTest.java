package dev.sluice.bench.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.FullTier;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The short form of {@code src/bench/run forecast}. */
@FullTier
class ForecastTrialTest {
  private static final ForecastTrial.Size TINY =
      new ForecastTrial.Size(300, 4, Duration.ofMinutes(20));

  @Test
  void saysStartsOfASteadyLoadBetterThanTheTwoSimpleWays() {
    TrialResult result = ForecastTrial.run(LoadFamily.STEADY, 1, TINY);

    assertThat(result.starts()).isGreaterThan(10);
    assertThat(result.error()).isLessThan(result.byPosition()).isLessThan(result.byLimits());
  }

  @Test
  void theSameSeedGivesTheSameResult() {
    TrialResult once = ForecastTrial.run(LoadFamily.PREEMPTING, 2, TINY);
    TrialResult again = ForecastTrial.run(LoadFamily.PREEMPTING, 2, TINY);

    assertThat(again).isEqualTo(once);
  }
}
