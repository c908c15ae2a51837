package dev.sluice.cli.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {
  @ParameterizedTest
  @CsvSource({
    "0, PT0S",
    "0s, PT0S",
    "30s, PT30S",
    "1h30m, PT1H30M",
    "1.5s, PT1.5S",
    "250ms, PT0.25S",
    "168h, PT168H",
    "5m0s, PT5M",
    "10us, PT0.00001S",
  })
  void readsWhatConfigurationsWrite(String text, Duration duration) {
    assertThat(GoDuration.parse(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "30", "s", "1d", "-5s", "+5s", "1h 5m", "1.s", "99999999999999999h"})
  void refusesWhatIsNoDuration(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GoDuration.parse(text))
        .withMessage(text + " (expected: a duration like 1h30m or 45s)");
  }
}
