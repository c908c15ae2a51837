package dev.sluice.json;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.HexFormat;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonSyntaxTest {
  private static final JsonLimits SMALL = new JsonLimits(4, 256, 20);
  private final JsonSyntax syntax = new JsonSyntax(SMALL);

  @ParameterizedTest
  @ValueSource(strings = {"[]", "{}", "[{}]", "{\"a\":[]}", "{\"\\u0061\":{}}"})
  void refusesMoreObjectsAndListsThanTheirBound(String item) throws Exception {
    JsonSyntax bounded = new JsonSyntax(new JsonLimits(4, 256, 20, 16));
    int each = item.length() - item.replace("[", "").replace("{", "").length();
    String most = "[" + String.join(",", Collections.nCopies(15 / each, item)) + "]";
    String more = "[" + String.join(",", Collections.nCopies(15 / each + 1, item)) + "]";

    assertThat(bounded.check(most.getBytes(UTF_8)).countChildren()).isEqualTo(15 / each);
    assertThatThrownBy(() -> bounded.check(more.getBytes(UTF_8)))
        .isInstanceOfSatisfying(
            MalformedJsonException.class, e -> assertThat(e.overLimit()).isTrue())
        .hasMessageStartingWith("more than 16 objects and lists at byte ");
  }

  @Test
  void refusesMoreKeysAtATimeThanTheirBound() throws Exception {
    String many =
        IntStream.range(0, 200_000).mapToObj(i -> "\"" + i + "\":0").collect(joining(","));
    JsonSyntax door = new JsonSyntax(JsonLimits.DEFAULT);

    assertThat(door.check(("[{" + many + "},{" + many + "}]").getBytes(UTF_8)).countChildren())
        .isEqualTo(2);
    assertThatThrownBy(() -> door.check(("{" + many + ",\"x\":{" + many + "}}").getBytes(UTF_8)))
        .isInstanceOfSatisfying(
            MalformedJsonException.class, e -> assertThat(e.overLimit()).isTrue())
        .hasMessageStartingWith("more than 250000 members in one object and those around it");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "0",
        "-0.0e-7",
        "12",
        "\"text\"",
        "\"\"",
        "true",
        "false",
        "null",
        "{\"\":{\"\":[]}}",
        "\"\\u0000\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\u007f\u0080\uffff\ud83d\ude00\"",
      })
  void letsOneValueThroughAsItIsWritten(String json) throws Exception {
    assertThat(syntax.check(json.getBytes(UTF_8)).spelling()).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{ }", "[1 , 2]", "17", "-1.5e3", "\"a b\"", "true", "null"})
  void leavesBlanksAroundTheValueOut(String json) throws Exception {
    byte[] padded = (" \t\r\n" + json + "\n \t\r").getBytes(UTF_8);

    assertThat(syntax.check(padded).spelling()).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"\\ud800\"", "\"\\udc00\\ud800\"", "{\"\\ud83d\\ude00\":\"\\udfff\"}"})
  void allowsEscapedSurrogatesInStringsAlsoAlone(String json) throws Exception {
    assertThat(syntax.check(json.getBytes(UTF_8)).spelling()).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"\\ud800\":1}", "{\"\\udfff\":1}", "{\"\\ude00\\ud83d\":1}"})
  void refusesSurrogatesThatStandAloneInKeys(String json) {
    assertRefused(json, false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[",
        "[1",
        "[1,",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "\"text",
        "\"text\\",
        "\"\\u12",
        "tru",
        "-",
        "1e",
        "1.",
        "}",
        "]",
        "[1}",
        "{\"a\":1]",
      })
  void refusesTextThatEndsTooEarly(String json) {
    assertRefused(json, false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{} x", "{}{}", "1 2", "12x", "null null", "[] ,", "\"a\"\"b\"", "{}\0"})
  void refusesTextAfterTheValue(String json) {
    assertRefused(json, false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1,\"a\":1}",
        "{\"a\":1,\"\\u0061\":2}",
        "[{\"b\":{\"x\":1,\"y\":2,\"x\":3}}]",
        "{\"\":1,\"\":1}",
      })
  void refusesAKeyThatStandsTwice(String json) {
    assertRefused(json, false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NaN",
        "Infinity",
        "-Infinity",
        "+1",
        "01",
        "-01",
        ".5",
        "0x10",
        "1_000",
        "[1,]",
        "{\"a\":1,}",
        "[,1]",
        "{a:1}",
        "{'a':1}",
        "'a'",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "{1:2}",
        "// no\n1",
        "/* no */ 1",
        "# no\n1",
        "\"\n\"",
        "\"\t\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "True",
        "nul",
        "undefined",
      })
  void refusesWhatOnlyRelaxedParsersRead(String json) {
    assertRefused(json, false);
  }

  @ParameterizedTest
  @CsvSource({
    "22c080, overlong NUL",
    "22c1bf22, overlong of two bytes",
    "22e080af22, overlong of three bytes",
    "22f08080af22, overlong of four bytes",
    "22eda08022, a high surrogate",
    "22eda080edb08022, a pair as CESU-8 writes it",
    "22f490808022, beyond the last code point",
    "22f8888080 8022, five bytes",
    "2280 22, a lone continuation byte",
    "22c3, cut within a character",
    "22c322, a character that does not go on",
    "22ff22, a byte that UTF-8 has not",
    "7b22fe223a317d, within a key",
    "ff, outside a string",
  })
  void refusesBytesThatAreNoUtf8(String hex, String what) {
    byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));

    assertThatThrownBy(() -> syntax.check(bytes))
        .as(what)
        .isInstanceOfSatisfying(
            MalformedJsonException.class, e -> assertThat(e.overLimit()).isFalse())
        .hasMessageContaining("no UTF-8 at byte ");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 100})
  void findsAByteThatIsNoUtf8AfterAnyNumberOfPlainOnes(int plain) {
    byte[] bytes = ("\"" + "a".repeat(plain) + "?\"").getBytes(UTF_8);
    bytes[plain + 1] = (byte) 0xff;

    assertThatThrownBy(() -> syntax.check(bytes))
        .isInstanceOf(MalformedJsonException.class)
        .hasMessage("no UTF-8 at byte %d", plain + 1);
  }

  @Test
  void refusesInvalidUtf8BehindTheFirstPageToo() {
    byte[] bytes = ("[" + "\"é\",".repeat(10_000) + "1]").getBytes(UTF_8);
    bytes[bytes.length - 2] = (byte) 0xc3;

    assertThatThrownBy(() -> syntax.check(bytes))
        .hasMessage("no UTF-8 at byte %d", bytes.length - 2);
  }

  @Test
  void refusesOtherEncodingsAndAByteOrderMark() {
    assertRefused("{}".getBytes(UTF_16BE), false);
    assertRefused("{}".getBytes(UTF_16LE), false);
    assertRefused("\ufeff{}".getBytes(UTF_16LE), false);
    assertRefused("\ufeff{}".getBytes(UTF_8), false);
    assertRefused(new byte[] {0, 0, 0, '{', 0, 0, 0, '}'}, false);
  }

  @Test
  void allowsTheBoundsThemselves() throws Exception {
    assertThat(syntax.check("[[[[]]]]".getBytes(UTF_8)).length()).isEqualTo(8);
    assertThat(syntax.check(("\"" + "a".repeat(256) + "\"").getBytes(UTF_8)).length())
        .isEqualTo(258);
    assertThat(syntax.check(("{\"" + "a".repeat(256) + "\":1}").getBytes(UTF_8)).length())
        .isEqualTo(262);
    assertThat(syntax.check(("[" + "9".repeat(20) + "]").getBytes(UTF_8)).length()).isEqualTo(22);
  }

  @Test
  void refusesWhatPassesABound() {
    assertRefused("[[[[[]]]]]", true);
    assertRefused("{\"a\":[{\"b\":[{}]}]}", true);
    assertRefused("[".repeat(100_000), true);
    assertRefused("\"" + "a".repeat(20_000) + "\"", true);
    assertRefused("\"" + "é".repeat(257) + "\"", true);
    assertRefused("{\"" + "k".repeat(20_000) + "\":1}", true);
    assertRefused("[" + "9".repeat(21) + "]", true);
    assertRefused("9".repeat(5_000), true);
    assertRefused("[0." + "9".repeat(21) + "]", true);
    assertRefused("[1e" + "9".repeat(40) + "]", true);
  }

  @Test
  void boundsTheTextAtExactlyItsLength() {
    assertRefused("\"" + "a".repeat(257) + "\"", true);
    assertRefused("[\"" + "a".repeat(257) + "\"]", true);
    assertRefused("{\"" + "a".repeat(257) + "\":1}", true);
  }

  @Test
  void readsValuesOneAfterTheOther() throws Exception {
    byte[] values = " 1 -2.0\n\"a\"{}[ ]null {\"a\":[1]}\n".getBytes(UTF_8);

    assertThat(syntax.checkSequence(values))
        .extracting(JsonSlice::spelling)
        .containsExactly("1", "-2.0", "\"a\"", "{}", "[ ]", "null", "{\"a\":[1]}");
    assertThat(syntax.checkSequence(" \n".getBytes(UTF_8))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{} x", "{},{}", "1 2 {", "{}]", "{\"a\":1}{\"b\":1,\"b\":2}"})
  void refusesASequenceForItsWrongEnd(String json) {
    assertThatThrownBy(() -> syntax.checkSequence(json.getBytes(UTF_8)))
        .isInstanceOf(MalformedJsonException.class);
  }

  @Test
  void saysWhatIsWrongInOneShortPrintableLine() {
    assertThatThrownBy(() -> syntax.check("{\"a\":\u0001\u0002x}".getBytes(UTF_8)))
        .hasMessageMatching("[ -~]{1,200}");
    assertThatThrownBy(() -> syntax.check(("[" + "x".repeat(9_999)).getBytes(UTF_8)))
        .hasMessageMatching("[ -~]{1,200}");
  }

  @ParameterizedTest
  @CsvSource({"0, 256, 20", "4, 255, 20", "4, 256, 19"})
  void refusesBoundsThatNoObjectCouldKeep(int depth, int text, int number) {
    assertThatThrownBy(() -> new JsonLimits(depth, text, number))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: >= ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1,\"a\":1}",
        "{\"a\":1,\"\\u0061\":2}",
        "[{\"b\":{\"x\":1,\"y\":2,\"x\":[3]}}]",
        "{\"\":1,\"\":1}",
      })
  void saysOfAKeyThatItStandsTwice(String json) {
    assertThatThrownBy(() -> syntax.check(json.getBytes(UTF_8)))
        .hasMessageMatching("the key \".?\" stands twice at byte \\d+");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 15, 16, 17, 31, 62, 63, 64, 65, 200})
  void acceptsAnObjectBelowAnyNumberOfLists(int lists) throws Exception {
    String json = "[".repeat(lists) + "{\"a\":{\"b\":1}}" + "]".repeat(lists);
    assertThat(new JsonSyntax(JsonLimits.DEFAULT).check(json.getBytes(UTF_8)).length())
        .isEqualTo(json.length());
  }

  @Test
  void acceptsObjectsOfVeryManyKeys() throws Exception {
    String many =
        IntStream.range(0, 1000).mapToObj(i -> "\"k" + i + "\":1").collect(joining(",", "{", "}"));

    assertThat(syntax.check(many.getBytes(UTF_8)).spelling()).isEqualTo(many);
    assertThatThrownBy(() -> syntax.check(many.replace("k999", "k0").getBytes(UTF_8)))
        .hasMessageContaining("stands twice");
  }

  private void assertRefused(String json, boolean overLimit) {
    assertRefused(json.getBytes(UTF_8), overLimit);
  }

  private void assertRefused(byte[] json, boolean overLimit) {
    assertThatThrownBy(() -> syntax.check(json))
        .isInstanceOfSatisfying(
            MalformedJsonException.class, e -> assertThat(e.overLimit()).isEqualTo(overLimit));
  }
}
