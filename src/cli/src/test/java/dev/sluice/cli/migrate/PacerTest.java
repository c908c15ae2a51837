package dev.sluice.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PacerTest {
  private static final long SECOND = 1_000_000_000L;

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - SECOND / 2}) // the clock may overflow
  void spreadsCallsEvenlyAndSavesNothingUp(long start) {
    Pacer pacer = new Pacer(4, start);

    assertThat(pacer.reserve(start)).isZero();
    assertThat(pacer.reserve(start)).isEqualTo(SECOND / 4);
    assertThat(pacer.reserve(start)).isEqualTo(SECOND / 2);
    assertThat(pacer.reserve(start + 10 * SECOND)).isZero();
    assertThat(pacer.reserve(start + 10 * SECOND)).isEqualTo(SECOND / 4);
  }

  @Test
  void holdsEverybodyUntilTheServerWantsThem() {
    Pacer pacer = new Pacer(0, 0);

    assertThat(pacer.reserve(0)).isZero();
    pacer.holdUntil(SECOND);
    pacer.holdUntil(SECOND / 2);

    assertThat(pacer.reserve(0)).isEqualTo(SECOND);
    assertThat(pacer.reserve(SECOND / 2)).isEqualTo(SECOND / 2);
    assertThat(pacer.reserve(2 * SECOND)).isZero();
  }

  @Test
  void refusesANegativeRate() {
    assertThatThrownBy(() -> new Pacer(-1, 0)).hasMessage("perSecond: -1 (expected: >= 0)");
  }
}
