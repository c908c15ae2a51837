package dev.sluice.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExcerptTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a-b.c/é\ud83d\ude00|a-b.c/é\ud83d\ude00",
        "`x\n\u001b\u0085y`|`x   y`",
        "`x\u202e\u2028\ud800y`|`x   y`",
      })
  void showsBlanksForWhatCannotBePrinted(String text, String shown) {
    assertThat(Excerpt.of(text)).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({"253, 253", "254, 253", "99999, 253", "0, 0"})
  void endsAfterTheLongestNameThereIs(int length, int shown) {
    assertThat(Excerpt.of("\ud83d\ude00".repeat(length)).codePoints()).hasSize(shown);
  }
}
