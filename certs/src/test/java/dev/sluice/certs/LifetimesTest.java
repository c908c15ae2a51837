package dev.sluice.certs;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LifetimesTest {
  @ParameterizedTest
  @CsvSource({
    "P10D,   PT0S,  serving: PT0S (expected: at least PT1M)",
    "P10D,   PT-1H, serving: PT-1H (expected: at least PT1M)",
    "PT59M,  PT20M, 'authority: PT59M (expected: at least PT1H, three times serving)'"
  })
  void refusesLifetimesThatLeaveNoTimeToOverlap(
      Duration authority, Duration serving, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Lifetimes(authority, serving))
        .withMessage(message);
  }
}
