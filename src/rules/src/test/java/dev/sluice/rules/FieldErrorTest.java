package dev.sluice.rules;

import static dev.sluice.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldErrorTest {
  @ParameterizedTest(name = "RSP-03 {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NOT_FOUND     | spec.a: Not found: "v": why
          REQUIRED      | spec.a: Required value: why
          DUPLICATE     | spec.a: Duplicate value: "v": why
          INVALID       | spec.a: Invalid value: "v": why
          NOT_SUPPORTED | spec.a: Unsupported value: "v": why
          FORBIDDEN     | spec.a: Forbidden: why
          TOO_LONG      | spec.a: Too long: why
          TOO_MANY      | spec.a: Too many: "v": why
          TOO_FEW       | spec.a: Too few: "v": why
          INTERNAL      | spec.a: Internal error: why
          """)
  void rendersEachTypeWithTheWordsOfKubernetes(FieldError.Type type, String text) {
    assertThat(new FieldError(type, "spec.a", TextNode.valueOf("v"), "why").text()).isEqualTo(text);
  }

  @Test
  void leavesOutWhatThereIsNot() {
    var field = Field.root(json("{'a':'cpu'}")).child("a");

    assertThat(FieldError.duplicate(field).text()).isEqualTo("a: Duplicate value: \"cpu\"");
    assertThat(FieldError.required(field, "").text()).isEqualTo("a: Required value");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'a': 1, 'b': [true, null, 'x']} | {"a":1,"b":[true,null,"x"]}
          {}                               | {}
          []                               | []
          -3                               | -3
          1.5                              | 1.5
          null                             | null
          'text'                           | "text"
          """)
  void showsValuesAsCompactJson(String value, String text) {
    assertThat(ValueText.of(json(value))).isEqualTo(text);
  }

  @Test
  void escapesWhatCouldPretendToBeSomethingElse() {
    assertThat(ValueText.quoted("a\"b\\c\n\r\t\u0000\u2028\u202e\ud800\u00e4\ud83d\ude00"))
        .isEqualTo("\"a\\\"b\\\\c\\n\\r\\t\\u0000\\u2028\\u202e\\ud800\u00e4\ud83d\ude00\"");
  }

  @Test
  void cutsALongValue() {
    assertThat(ValueText.quoted("v".repeat(1_000_000)))
        .isEqualTo("\"" + "v".repeat(ValueText.MAX_LENGTH - 1) + "...");
    assertThat(ValueText.quoted("v".repeat(198))).isEqualTo("\"" + "v".repeat(198) + "\"");
    assertThat(ValueText.of(json("[" + "1,".repeat(100_000) + "1]"))).hasSize(203).endsWith("...");
    assertThat(ValueText.of(BigIntegerNode.valueOf(BigInteger.ONE.shiftLeft(10_000_000))))
        .hasSizeLessThan(100);
  }

  @Test
  void survivesAnyDepth() {
    JsonNode nested = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < 100_000; i++) {
      nested = JsonNodeFactory.instance.arrayNode().add(nested);
    }

    assertThat(ValueText.of(nested)).isEqualTo("[".repeat(ValueText.MAX_LENGTH) + "...");
  }
}
