package dev.sluice.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BriefTimeTest {
  @ParameterizedTest
  @CsvSource({
    "PT-5S, 0s",
    "PT0S, 0s",
    "PT119S, 119s",
    "PT2M, 2m",
    "PT2H59M, 179m",
    "PT3H, 3h",
    "PT47H, 47h",
    "PT48H, 2d"
  })
  void hasTheOneUnitThatSaysEnough(Duration time, String text) {
    assertThat(BriefTime.of(time)).isEqualTo(text);
  }
}
