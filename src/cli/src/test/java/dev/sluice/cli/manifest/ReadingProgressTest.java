package dev.sluice.cli.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadingProgressTest {
  @Test
  void isShownForLargeInputsOnly() {
    assertThat(ReadingProgress.isLarge(199, (50L << 20) - 1)).isFalse();
    assertThat(ReadingProgress.isLarge(200, 0)).isTrue();
    assertThat(ReadingProgress.isLarge(1, 50L << 20)).isTrue();
  }
}
