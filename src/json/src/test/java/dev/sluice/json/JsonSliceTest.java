package dev.sluice.json;

import static dev.sluice.json.Texts.value;
import static dev.sluice.json.Texts.written;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonSliceTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|OBJECT|an object",
        "[]|ARRAY|a list",
        "\"\"|TEXT|a string",
        "0|NUMBER|a number",
        "-1|NUMBER|a number",
        "true|BOOLEAN|true or false",
        "false|BOOLEAN|true or false",
        "null|NULL|null",
      })
  void knowsItsTypeWithoutBeingOpened(String json, Json.Type type, String words) {
    assertThat(value(json).type()).isEqualTo(type);
    assertThat(type.words()).isEqualTo(words);
    assertThat(value(json).opened().type()).isEqualTo(type);
  }

  @Test
  void opensOneLevelAndWritesTheRestAsItCame() {
    JsonObject object = opened("{ \"b\" : { \"x\" : 1.0 } ,\n\"a\":[ ]\t, \"\" : \"\\u0041\" }");

    assertThat(written(object)).isEqualTo("{\"b\":{ \"x\" : 1.0 },\"a\":[ ],\"\":\"\\u0041\"}");
  }

  @Test
  void findsMembersAmongBlanksOfEverySort() {
    JsonObject object =
        opened("\t{\n\r\t \"a\"\t:\n1\r\n,\"b\" :-2.5e+7 , \"c\": true\n,\"d\":null}\n");

    assertThat(object.size()).isEqualTo(4);
    assertThat(object.get("a")).hasToString("1");
    assertThat(object.get("b")).hasToString("-2.5e+7");
    assertThat(object.get("c")).hasToString("true");
    assertThat(object.get("d")).hasToString("null");
  }

  @Test
  void isNotMisledByBracketsQuotesAndBackslashesInStrings() {
    JsonObject object =
        opened(
            "{\"a\":{\"k}]\":\"}\\\"]\",\"l\":[\"\\\\\",\"[{\"]},\"b\\\"\":[[{}],[\"]\"]],\"c\":0}");

    assertThat(object.get("a")).hasToString("{\"k}]\":\"}\\\"]\",\"l\":[\"\\\\\",\"[{\"]}");
    assertThat(object.get("b\"")).hasToString("[[{}],[\"]\"]]");
    assertThat(object.get("c")).hasToString("0");
  }

  @Test
  void opensListsItemByItem() {
    JsonArray list =
        requireNonNull(opened("{\"l\":[ 1 ,[2,[3]],\"4,5\" ,{\"6\":[7]},null ]}").array("l"));

    assertThat(list.size()).isEqualTo(5);
    assertThat(written(list.get(1))).isEqualTo("[2,[3]]");
    assertThat(list.get(2)).hasToString("\"4,5\"");
    assertThat(list.open(3)).isInstanceOf(JsonObject.class).isSameAs(list.get(3));
    assertThat(written(list)).isEqualTo("[1,[2,[3]],\"4,5\",{\"6\":[7]},null]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"\\u00e9\\t\\/\\\"\"|é\t/\"",
        "\"\\uD83D\\ude00\"|\ud83d\ude00",
        "\"\ud83d\ude00\"|\ud83d\ude00",
        "\"\\\\u0041\"|\\u0041",
        "\"\\b\\f\\n\\r.\"|`\b\f\n\r.`",
        "\"\"|``",
      })
  void decodesEveryEscape(String json, String text) {
    assertThat(value(json).text()).isEqualTo(text);
  }

  @Test
  void decodesALoneSurrogateAsItself() {
    assertThat(value("\"\\ud800x\"").text()).isEqualTo("\ud800x");
  }

  @Test
  void findsAMemberWhoseKeyIsEscaped() {
    assertThat(opened("{\"\\u0073pec\":1}").has("spec")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "1", "true", "null"})
  void hasNoTextUnlessItIsAString(String json) {
    assertThat(value(json).text()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0|true", "-1|true", "12345678901234567890123|true", "1.0|false", "1e3|false",
        "\"1\"|false", "true|false", "null|false", "[]|false", "{}|false",
      })
  void knowsAnIntegerByItsSpelling(String json, boolean integer) {
    assertThat(value(json)).isInstanceOf(JsonSlice.class);
    assertThat(value(json).isInteger()).isEqualTo(integer);
  }

  @Test
  void isMadeFromStringsAndNumbers() {
    assertThat(JsonSlice.text("a\"\\\n\u0001é\ud83d\ude00").spelling())
        .isEqualTo("\"a\\\"\\\\\\n\\u0001é\ud83d\ude00\"");
    assertThat(JsonSlice.number(Long.MIN_VALUE).spelling()).isEqualTo("-9223372036854775808");
  }

  private static JsonObject opened(String json) {
    return (JsonObject) value(json).opened();
  }
}
