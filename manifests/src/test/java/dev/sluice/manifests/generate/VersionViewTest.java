package dev.sluice.manifests.generate;

import static dev.sluice.api.ApiVersion.V1ALPHA1;
import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.manifests.yaml.YamlReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionViewTest {

  @Test
  void aChoiceStandsForTheValueOfItsVersion() {
    JsonNode node = yaml("list: {v1beta1: set, v1beta2..: atomic}");

    assertThat(new VersionView(V1BETA1).of(node)).contains(yaml("list: set"));
    assertThat(new VersionView(V1BETA2).of(node)).contains(yaml("list: atomic"));
  }

  @Test
  void whatNoRangeContainsIsNotThere() {
    JsonNode node = yaml("{a: 1, b: {v1beta2..: 2}, c: [{..v1alpha1: x}, y]}");

    assertThat(new VersionView(V1BETA1).of(node)).contains(yaml("{a: 1, c: [y]}"));
  }

  @Test
  void choicesMayHoldChoices() {
    JsonNode node = yaml("a: {..v1beta1: {b: {v1alpha1: 1, v1beta1..: 2}}}");

    assertThat(new VersionView(V1ALPHA1).of(node)).contains(yaml("a: {b: 1}"));
    assertThat(new VersionView(V1BETA1).of(node)).contains(yaml("a: {b: 2}"));
  }

  @Test
  void aViewSharesNothingWithTheFile() {
    JsonNode node = yaml("a: {b: [1]}");

    JsonNode seen = new VersionView(V1BETA2).of(node).orElseThrow();

    assertThat(seen.get("a")).isNotSameAs(node.get("a"));
    assertThat(seen.at("/a/b")).isNotSameAs(node.at("/a/b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{v1beta2: 1, other: 2}", "{v1beta2: 1, v1beta1..: 2}"})
  void refusesChoicesThatAreNotClear(String text) {
    assertThatThrownBy(() -> new VersionView(V1BETA2).of(yaml(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("v1beta2");
  }

  private static JsonNode yaml(String text) {
    return new YamlReader().read("test", text);
  }
}
