package dev.sluice.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RateLimiterTest {
  private static final long SECOND = 1_000_000_000L;

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - SECOND / 2}) // the clock may overflow
  void spreadsCallsEvenlyAndSavesNothingUp(long start) {
    RateLimiter limiter = new RateLimiter(4, start);

    assertThat(limiter.reserve(start)).isZero();
    assertThat(limiter.reserve(start)).isEqualTo(SECOND / 4);
    assertThat(limiter.reserve(start)).isEqualTo(SECOND / 2);
    assertThat(limiter.reserve(start + 10 * SECOND)).isZero();
    assertThat(limiter.reserve(start + 10 * SECOND)).isEqualTo(SECOND / 4);
  }

  @Test
  void holdsEverybodyUntilTheServerWantsThem() {
    RateLimiter limiter = new RateLimiter(0, 0);

    assertThat(limiter.reserve(0)).isZero();
    limiter.holdUntil(SECOND);
    limiter.holdUntil(SECOND / 2);

    assertThat(limiter.reserve(0)).isEqualTo(SECOND);
    assertThat(limiter.reserve(SECOND / 2)).isEqualTo(SECOND / 2);
    assertThat(limiter.reserve(2 * SECOND)).isZero();
  }

  @Test
  void refusesANegativeRate() {
    assertThatThrownBy(() -> new RateLimiter(-1, 0)).hasMessage("perSecond: -1 (expected: >= 0)");
  }
}
