package dev.sluice.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FileProgressTest {
  @Test
  void showsProgressOnlyOfLargeInputs() {
    assertThat(FileProgress.isLarge(199, (50L << 20) - 1)).isFalse();
    assertThat(FileProgress.isLarge(200, 0)).isTrue();
    assertThat(FileProgress.isLarge(1, 50L << 20)).isTrue();
  }
}
