package dev.sluice.webhook.endpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.json.JsonLimits;
import dev.sluice.json.JsonSyntax;
import dev.sluice.json.MalformedJsonException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReviewTreeTest {
  private static final JsonSyntax SYNTAX = new JsonSyntax(new JsonLimits(100_000, 256, 20));

  private static JsonNode tree(String json) throws MalformedJsonException {
    return ReviewTree.of(json.getBytes(UTF_8), SYNTAX);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "0",
        "-7",
        "2147483648",
        "9223372036854775808",
        "1.5",
        "-0.0e-7",
        "\"text\"",
        "\"\\u00e9\\n\"",
        "true",
        "false",
        "null",
        "{\"a\":{\"b\":[1,\"x\",null,{\"c\":[[]]},false]},\"\":{},\"d\":9007199254740993}",
      })
  void readsWhatJacksonReads(String json) throws Exception {
    assertThat(tree(json)).isEqualTo(new JsonMapper().readTree(json));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1,\"a\":1}",
        "{\"a\":null,\"a\":null}",
        "{\"a\":1,\"\\u0061\":2}",
        "{\"a\":{\"x\":1},\"b\":1,\"a\":{}}",
        "[{\"b\":{\"x\":1,\"y\":2,\"x\":[3]}}]",
        "{\"\":1,\"\":1}",
      })
  void refusesAKeyThatStandsTwice(String json) {
    assertThatThrownBy(() -> tree(json))
        .isInstanceOfSatisfying(
            MalformedJsonException.class, e -> assertThat(e.overLimit()).isFalse())
        .hasMessageContaining("stands twice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "{", "{\"a\":1", "[1,", "{} {}", "1 2", "[1}", "nul", "{'a':1}"})
  void refusesWhatIsNotOneValue(String json) {
    assertThatThrownBy(() -> tree(json)).isInstanceOf(MalformedJsonException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 256})
  void readsTextUpToItsBoundAndNoLongerOne(int length) throws Exception {
    assertThat(tree("\"" + "a".repeat(length) + "\"").textValue()).hasSize(length);
    assertThatThrownBy(() -> tree("{\"k\":\"" + "a".repeat(257) + "\"}"))
        .isInstanceOfSatisfying(
            MalformedJsonException.class, e -> assertThat(e.overLimit()).isTrue());
  }

  @Test
  void needsNoStackForDepth() throws Exception {
    JsonNode node = tree("[".repeat(100_000) + "]".repeat(100_000));

    for (int i = 1; i < 100_000; i++) {
      node = node.get(0);
    }
    assertThat(node).isEmpty();
  }
}
