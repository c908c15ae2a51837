package dev.sluice.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.testkit.json.SingleQuoted;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodRoomTest {
  private static Optional<JsonNode> pod(@Nullable String text) {
    return Optional.ofNullable(text).map(SingleQuoted::json);
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
