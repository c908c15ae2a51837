package dev.sluice.api.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePatchTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"a":1}             | {"a":1}               | {}
          {"a":1}             | {"a":2}               | {"a":2}
          {}                  | {"a":1}               | {"a":1}
          {"a":1,"b":2}       | {"b":2}               | {"a":null}
          {"s":{"a":1,"b":2}} | {"s":{"a":1}}         | {"s":{"b":null}}
          {"s":{"a":1}}       | {"s":{"a":1,"b":{}}}  | {"s":{"b":{}}}
          {"s":{"a":1}}       | {"s":[1]}             | {"s":[1]}
          {"l":[1,2]}         | {"l":[1,3]}           | {"l":[1,3]}
          {"l":[1,2]}         | {"l":[1,2],"m":"x"}   | {"m":"x"}
          """)
  void saysNoMoreThanWhatDiffersAndMakesTheOneTheOther(String from, String to, String patch)
      throws JsonProcessingException {
    assertThat(MergePatch.between(read(from), read(to))).isEqualTo(read(patch));
    assertThat(MergePatch.applied(read(from), read(patch))).isEqualTo(read(to));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"a":"b"}      | {"a":{"b":null,"c":1}} | {"a":{"c":1}}
          {"a":[{"b":1}]} | {"a":[null]}          | {"a":[null]}
          {}             | {"a":{"b":{"c":null}}} | {"a":{"b":{}}}
          """)
  void keepsNoNullOfAPatchOutsideOfLists(String target, String patch, String merged)
      throws JsonProcessingException {
    JsonNode before = read(target);

    assertThat(MergePatch.applied(before, read(patch))).isEqualTo(read(merged));
    assertThat(before).as("the target is left as it was").isEqualTo(read(target));
  }

  private static JsonNode read(String text) throws JsonProcessingException {
    return JSON.readTree(text);
  }
}
