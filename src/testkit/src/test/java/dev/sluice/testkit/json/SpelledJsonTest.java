package dev.sluice.testkit.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.json.SpelledJson.JsonNumber;
import dev.sluice.testkit.json.SpelledJson.JsonText;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpelledJsonTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "1.0",
        "0.10",
        "1e3",
        "1E+2",
        "123456789012345678901234567890",
        "null",
        "true",
        "\"\"",
        "[]",
        "{}",
        "[1,[2,{}]]",
        "{\"b\":1,\"a\":{\"d\":null,\"c\":[]}}"
      })
  void writesWhatItRead(String text) {
    assertThat(SpelledJson.parse(text).write()).isEqualTo(text);
  }

  @Test
  void readsAnyWhiteSpaceAndAnyEscapes() {
    var read = SpelledJson.parse(" { \"\\u0041\\/\\ud83d\\udea2\" :\r\n[ 1\t, \"\\n\" ] } ");

    assertThat(read).isEqualTo(SpelledJson.parse("{\"A/\ud83d\udea2\":[1,\"\\n\"]}"));
  }

  @Test
  void keepsAnUnpairedSurrogateAsAnEscape() {
    assertThat(SpelledJson.parse("\"\\uD83Dx\"")).isEqualTo(new JsonText("\ud83dx"));
    assertThat(new JsonText("\ud83dx").write()).isEqualTo("\"\\ud83dx\"");
  }

  @Test
  void equalsIgnoresTheOrderOfKeysButTheSpellingDoesNot() {
    var one = SpelledJson.parse("{\"a\":{\"x\":1,\"y\":2}}");
    var two = SpelledJson.parse("{\"a\":{\"y\":2,\"x\":1}}");

    assertThat(one).isEqualTo(two);
    assertThat(one.sameSpelling(two)).isFalse();
    assertThat(one.differenceFrom(two)).contains("$.a: keys [x, y] and [y, x]");
  }

  @Test
  void numbersOfOneValueInTwoSpellingsDiffer() {
    var one = SpelledJson.parse("{\"a\":[0,1.0]}");
    var two = SpelledJson.parse("{\"a\":[0,1]}");

    assertThat(one).isNotEqualTo(two);
    assertThat(one.differenceFrom(two)).contains("$.a[1]: 1.0 and 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "nul",
        "{",
        "[1,]",
        "{\"a\"}",
        "{\"a\":1,}",
        "01",
        "1.",
        ".5",
        "+1",
        "1e",
        "\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\n\"",
        "1 2",
        "{\"a\":1,\"a\":1}",
        "{a:1}",
        "NaN"
      })
  void refusesWhatIsNotJson(String text) {
    assertThatThrownBy(() -> SpelledJson.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesToNestWithoutEnd() {
    assertThat(SpelledJson.parse("[".repeat(500) + "]".repeat(500))).isNotNull();
    assertThatThrownBy(() -> SpelledJson.parse("[".repeat(100_000)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesANumberThatCannotBeWritten() {
    assertThatThrownBy(() -> new JsonNumber("1.")).hasMessage("1. (expected: a JSON number)");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aScrambledTextIsReadAsTheSameTree(long seed) {
    var tree =
        SpelledJson.parse("{\"a/b\":[1.0,\"q\\\"\\\\\\u0001\\n\ud83d\udea2é\",{}],\"\":null}");

    String scrambled = tree.write(JsonStyle.scrambled(new Random(seed)));

    assertThat(scrambled).isNotEqualTo(tree.write());
    assertThat(SpelledJson.parse(scrambled).differenceFrom(tree)).isEmpty();
  }
}
