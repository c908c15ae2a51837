package dev.sluice.api.meta;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.read.HubObjects;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelSelectorTest {
  private static final Map<String, String> LABELS = Map.of("dep", "eng", "tier", "gold");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                                                       | true
          {"matchLabels": {"dep": "eng"}}                                                          | true
          {"matchLabels": {"dep": "eng", "tier": "gold"}}                                          | true
          {"matchLabels": {"dep": "eng", "tier": "tin"}}                                           | false
          {"matchLabels": {"site": "x"}}                                                           | false
          {"matchExpressions": [{"key": "dep", "operator": "In", "values": ["eng", "ops"]}]}       | true
          {"matchExpressions": [{"key": "dep", "operator": "In", "values": ["ops"]}]}              | false
          {"matchExpressions": [{"key": "site", "operator": "In", "values": ["x"]}]}               | false
          {"matchExpressions": [{"key": "dep", "operator": "NotIn", "values": ["ops"]}]}           | true
          {"matchExpressions": [{"key": "dep", "operator": "NotIn", "values": ["eng"]}]}           | false
          {"matchExpressions": [{"key": "site", "operator": "NotIn", "values": ["x"]}]}            | true
          {"matchExpressions": [{"key": "dep", "operator": "Exists"}]}                             | true
          {"matchExpressions": [{"key": "site", "operator": "Exists"}]}                            | false
          {"matchExpressions": [{"key": "site", "operator": "DoesNotExist"}]}                      | true
          {"matchExpressions": [{"key": "dep", "operator": "DoesNotExist"}]}                       | false
          {"matchExpressions": [{"key": "dep", "operator": "Near"}]}                               | false
          {"matchLabels": {"dep": "eng"}, "matchExpressions": [{"key": "site", "operator": "Exists"}]} | false
          """)
  void meansTheLabelsForWhichAllConditionsHold(String selector, boolean matches) {
    assertThat(HubObjects.read(LabelSelector.class, selector.getBytes(UTF_8)).matches(LABELS))
        .isEqualTo(matches);
  }

  @Test
  void everythingIsChosenByASelectorWithoutConditions() {
    assertThat(LabelSelector.EVERYTHING.matches(Map.of())).isTrue();
    assertThat(LabelSelector.EVERYTHING.matches(LABELS)).isTrue();
  }
}
