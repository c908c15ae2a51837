package dev.sluice.json;

import static dev.sluice.json.Texts.value;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalTest {

  @Test
  void sortsMembersByCodePointAtEveryLevelAndLeavesBlanksOut() {
    // U+FFEE comes before U+1F600, though its UTF-16 unit is the larger
    String json =
        "{ \"\ud83d\ude00\" : 1, \"\uffee\":2, \"b\" : [ { \"z\":1 , \"a\":2 } ],"
            + " \"a\":{},\"B\":0,\"\":0 }";

    assertThat(Canonical.text(value(json)))
        .isEqualTo(
            "{\"\":0,\"B\":0,\"a\":{},\"b\":[{\"a\":2,\"z\":1}],\"\uffee\":2,\"\ud83d\ude00\":1}");
  }

  @Test
  void keepsTheOrderOfListsAndTheSpellingOfNumbers() {
    String json = "[1.0,1,1e0,-0,0.10,9223372036854775807,123456789012345678901234567890]";

    assertThat(Canonical.text(value(json))).isEqualTo(json);
  }

  @Test
  void writesStringsWithTheFewestEscapes() {
    assertThat(
            Canonical.text(
                value("\"\\u0041\\/\\u00e9\\u007f\\u0009\\u001F\\ud83d\\ude00\\ud800\"")))
        .isEqualTo("\"A/é\u007f\\t\\u001f\ud83d\ude00\\ud800\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1,\"b\":2}|{\"b\":2,\"a\":1}",
        "{\"a\":{\"c\":[{\"x\":1,\"y\":2}],\"b\":0}}|{\"a\":{\"b\":0,\"c\":[{\"y\":2,\"x\":1}]}}",
        "\"\\u0041/\"|\"A\\/\"",
        "{\"\\u0061\":1}|{\"a\":1}",
        "[ 1 , 2 ]|[1,2]",
      })
  void findsEqualWhatIsTheSameContent(String a, String b) {
    assertThat(Canonical.equal(value(a), value(b))).isTrue();
    assertThat(Canonical.equal(value(a).opened(), value(b))).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1|1.0",
        "1|\"1\"",
        "0|-0",
        "null|{}",
        "null|\"null\"",
        "{}|[]",
        "\"\"|null",
        "{\"a\":null}|{}",
        "[1,2]|[2,1]",
        "{\"a\":1}|{\"a\":1,\"b\":1}",
        "{\"a\":{\"b\":1}}|{\"a\":{},\"b\":1}",
        "true|false",
        "\"\\ud800\"|\"?\"",
      })
  void findsDifferentWhatDiffersInTypeSpellingOrPresence(String a, String b) {
    assertThat(Canonical.equal(value(a), value(b))).isFalse();
    assertThat(Canonical.equal(value(b).opened(), value(a).opened())).isFalse();
  }
}
