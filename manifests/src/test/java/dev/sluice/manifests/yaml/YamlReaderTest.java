package dev.sluice.manifests.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class YamlReaderTest {

  private final YamlReader reader = new YamlReader();

  @Test
  void readsTheDocumentsOfAStreamInOrderAndSkipsEmptyOnes() {
    var documents = reader.readAll("stream", "---\n# nothing\n---\na: 1\n---\na: 2\n");

    assertThat(documents).extracting(d -> d.path("a").asInt()).containsExactly(1, 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a: 1\na: 2", "a: [", "- a", "a", "a: 1\n---\nb: 2", ""})
  void refusesWhatIsNotOneObjectAndNamesTheText(String text) {
    assertThatThrownBy(() -> reader.read("kinds/x.yaml", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("kinds/x.yaml: ");
  }

  @Test
  void keepsTextsThatLookLikeOtherTypes() {
    JsonNode read = reader.read("text", "a: None\nb: 'True'\nc: \"1\"");

    assertThat(read).allSatisfy(value -> assertThat(value.isTextual()).isTrue());
  }
}
