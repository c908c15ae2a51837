package dev.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TierTest {
  @ParameterizedTest
  @CsvSource({"quick, 20", "full, 100", "long, 500"})
  void aTierChoosesItsOwnNumber(String name, int chosen) {
    assertThat(Tier.of(name).choose(20, 100)).isEqualTo(chosen);
  }

  @Test
  void aTierThatDoesNotExistIsRefused() {
    assertThatThrownBy(() -> Tier.of("fast"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sluice.test.tier: \"fast\" (expected: quick, full, or long)");
  }
}
