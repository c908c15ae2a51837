package dev.sluice.api.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {
  @ParameterizedTest
  @CsvSource({
    "0,PT0S",
    "30s,PT30S",
    "1h30m,PT1H30M",
    "2.5s,PT2.5S",
    "300ms,PT0.3S",
    "-1m,PT-1M",
    "+1m,PT1M",
    "1m0s,PT1M",
    ".5h,PT30M",
    "1.s,PT1S",
    "7us,PT0.000007S",
    "7µs,PT0.000007S",
    "9ns,PT0.000000009S"
  })
  void readsTimesOfGo(String text, Duration expected) {
    assertThat(GoDuration.parse(text)).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "s", "1d", "1 h", "1h ", "--1s", ".s", "1e3s", "99999999999h"})
  void refusesWhatIsNone(String text) {
    assertThat(GoDuration.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "-5s"})
  void saysWhatAnythingElseShouldHaveBeenWhereATimeMustStand(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GoDuration.require(text))
        .withMessage(text + " (expected: a time such as 30s, 5m or 1h30m, not negative)");
  }
}
