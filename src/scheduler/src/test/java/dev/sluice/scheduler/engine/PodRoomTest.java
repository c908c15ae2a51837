package dev.sluice.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.meta.ObjectChange;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodRoomTest {
  private static Optional<JsonNode> pod(@Nullable String text) {
    try {
      return text == null
          ? Optional.empty()
          : Optional.of(new ObjectMapper().readTree(text.replace('\'', '"')));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "                                   | {'spec': {}}                       | false",
        "{'spec': {}}                       | {'metadata': {'labels': {}}}       | false",
        "{'spec': {}}                       |                                    | false",
        "{'spec': {}}                       | {'spec': {'nodeName': 'n'}}        | true",
        "                                   | {'spec': {'nodeName': 'n'}}        | true",
        "{'spec': {'nodeName': 'n'}}        |                                    | true",
        "{'spec': {'nodeName': 'n'}}        | {'spec': {'nodeName': 'm'}}        | true",
        "{'spec': {'nodeName': 'n'}}        | {'spec': {'nodeName': 'n'}, 'status': {'phase':"
            + " 'Running'}} | false",
        "{'spec': {'nodeName': 'n'}}        | {'spec': {'nodeName': 'n'}, 'status': {'phase':"
            + " 'Failed'}} | true",
        "{'spec': {'nodeName': 'n'}}        | {'spec': {'nodeName': 'n', 'containers': []}} | true",
        "{'spec': {'nodeName': 'n'}}        | {'metadata': {'annotations': {'a': 'b'}}, 'spec':"
            + " {'nodeName': 'n'}} | true",
      })
  void tellsTheEngineOnlyWhatChangesTheRoomOnANode(
      @Nullable String before, @Nullable String after, boolean told) {
    assertThat(PodRoom.isNews(new ObjectChange(pod(before), pod(after)))).isEqualTo(told);
  }
}
