package dev.sluice.api.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {
  @Test
  void readsWhatAnInstantIsWrittenAs() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      Instant second = Instant.ofEpochSecond(random.nextLong(-62_135_596_800L, 253_402_300_800L));

      assertThat(Timestamps.parse(second.toString())).isEqualTo(second);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2024-02-29T23:59:59Z",
        "2026-01-31T12:00:00.5Z",
        "2026-01-31T12:00:00+02:00",
        "2026-01-31T24:00:00Z",
        "2026-06-30T23:59:60Z",
        "+12026-01-31T12:00:00Z",
      })
  void readsEveryFormThatInstantsHave(String text) {
    assertThat(Timestamps.parse(text)).isEqualTo(Instant.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "2026-02-29T12:00:00Z",
        "2026-13-01T12:00:00Z",
        "2026-01-00T12:00:00Z",
        "2026-01-31T25:00:00Z",
        "2026-01-31T12:60:00Z",
        "2026-01-31 12:00:00Z",
        "2026-01-31T12:00:0xZ",
        "\u0662026-01-31T12:00:00Z",
      })
  void refusesWhatIsNoTime(String text) {
    assertThatThrownBy(() -> Timestamps.parse(text)).isInstanceOf(DateTimeException.class);
  }
}
