package dev.sluice.api.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergeDiffTest {
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
  void saysNoMoreThanWhatDiffers(String from, String to, String patch)
      throws JsonProcessingException {
    assertThat(MergeDiff.between(read(from), read(to))).isEqualTo(read(patch));
  }

  private static JsonNode read(String text) throws JsonProcessingException {
    return JSON.readTree(text);
  }
}
