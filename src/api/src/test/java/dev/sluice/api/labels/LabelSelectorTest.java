package dev.sluice.api.labels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.labels.LabelSelector.Operator;
import dev.sluice.api.labels.LabelSelector.Requirement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelSelectorTest {
  @ParameterizedTest
  @CsvSource({
    "In,true,false,false",
    "NotIn,false,true,true",
    "Exists,true,true,false",
    "DoesNotExist,false,false,true"
  })
  void comparesAsKubernetesDoes(
      String operator, boolean withValue, boolean withOther, boolean without) {
    Operator compared = Operator.find(operator).orElseThrow();
    List<String> values = compared.takesValues() ? List.of("gold", "silver") : List.of();
    var selector = new LabelSelector(Map.of(), List.of(new Requirement("tier", compared, values)));

    assertThat(selector.matches(Map.of("tier", "silver"))).isEqualTo(withValue);
    assertThat(selector.matches(Map.of("tier", "tin"))).isEqualTo(withOther);
    assertThat(selector.matches(Map.of("other", "gold"))).isEqualTo(without);
  }

  @Test
  void wantsEveryLabelAndEveryRequirement() {
    var selector =
        new LabelSelector(
            Map.of("a", "1"), List.of(new Requirement("b", Operator.EXISTS, List.of())));

    assertThat(selector.matches(Map.of("a", "1", "b", ""))).isTrue();
    assertThat(selector.matches(Map.of("a", "2", "b", ""))).isFalse();
    assertThat(selector.matches(Map.of("a", "1"))).isFalse();
    assertThat(LabelSelector.EVERYTHING.matches(Map.of())).isTrue();
  }

  @Test
  void refusesARequirementWithTooFewOrTooManyValues() {
    assertThatThrownBy(() -> new Requirement("a", Operator.IN, List.of()))
        .hasMessage("values: [] (expected: at least one for In)");
    assertThatThrownBy(() -> new Requirement("a", Operator.EXISTS, List.of("b")))
        .hasMessage("values: [b] (expected: none for Exists)");
  }
}
