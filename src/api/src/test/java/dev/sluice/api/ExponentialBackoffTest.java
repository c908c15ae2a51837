package dev.sluice.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExponentialBackoffTest {
  @ParameterizedTest
  @CsvSource({
    "PT1S, PT30S, 1, PT1S",
    "PT1S, PT30S, 2, PT2S",
    "PT1S, PT30S, 5, PT16S",
    "PT1S, PT30S, 6, PT30S",
    "PT1S, PT30S, 2147483647, PT30S",
    "PT0.05S, PT30S, 3, PT0.2S",
    "PT1S, PT2562047H, 40, PT2562047H",
    "PT5S, PT5S, 1, PT5S",
    "PT5S, PT5S, 9, PT5S",
    "PT9S, PT4S, 1, PT4S",
    "PT0S, PT30S, 2147483647, PT0S",
    "PT5S, PT0S, 3, PT0S",
  })
  void doublesWithEachFailureUpToTheMost(
      Duration least, Duration most, int failures, Duration expected) {
    assertThat(new ExponentialBackoff(least, most).after(failures)).isEqualTo(expected);
  }

  @Test
  void jitterLeavesAtLeastHalf() {
    ExponentialBackoff backoff =
        new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
    Random random = new Random(7);

    for (int i = 0; i < 1000; i++) {
      assertThat(backoff.jittered(3, random))
          .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
    }
  }

  @Test
  void hasNoWaitBeforeTheFirstFailure() {
    ExponentialBackoff backoff = new ExponentialBackoff(Duration.ofSeconds(1), Duration.ZERO);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> backoff.after(0))
        .withMessage("failures: 0 (expected: >= 1)");
  }

  @Test
  void refusesNegativeTimes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ExponentialBackoff(Duration.ofSeconds(-1), Duration.ZERO))
        .withMessage("least: PT-1S, most: PT0S (expected: not negative)");
  }
}
