package dev.sluice.cluster.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.access.Renewed.Reading;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RenewedTest {
  private static final Instant T = Instant.parse("2026-11-30T12:00:00Z");

  private Instant now = T;
  private int readings;
  private final Renewed<String> token =
      Renewed.read(
          "token",
          () -> new Reading<>("token-" + ++readings, now.plus(Renewed.FILE_AGE)),
          () -> now);

  @Test
  void isReadAgainWhenItIsStale() {
    now = T.plus(Renewed.FILE_AGE).minusMillis(1);
    assertThat(token.get()).isEqualTo("token-1");

    now = T.plus(Renewed.FILE_AGE);
    assertThat(token.get()).isEqualTo("token-2");
  }

  @ParameterizedTest
  @CsvSource({"PT0S, token-2", "PT0.9S, token-2", "PT1S, token-3", "PT-1H, token-3"})
  void oneThatIsRefusedIsReadAgainOnceASecondAlsoIfTheClockWasSetBack(
      Duration later, String expected) {
    assertThat(token.afterRefusal("token-1"::equals)).isEqualTo("token-2");

    now = T.plus(later);

    assertThat(token.afterRefusal("token-2"::equals)).isEqualTo(expected);
  }

  @Test
  void oneThatIsNotTheRefusedOneStays() {
    assertThat(token.afterRefusal("another"::equals)).isEqualTo("token-1");
  }
}
