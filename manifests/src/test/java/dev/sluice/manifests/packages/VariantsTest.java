package dev.sluice.manifests.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class VariantsTest {
  @Test
  void withoutAConditionThereIsOnlyTheBase() {
    assertThat(new Variants(List.of("a", "b")).template()).containsExactly("a", "b");
  }

  @Test
  void whatAConditionAddsIsThereIfItHolds() {
    Variants variants = new Variants(List.of("a", "b"));
    variants.add("x", List.of("a", "1", "2", "b", "3"));

    assertThat(variants.template())
        .containsExactly(
            "a", "{{- if x }}", "1", "2", "{{- end }}", "b", "{{- if x }}", "3", "{{- end }}");
  }

  @Test
  void whatAConditionTakesAwayIsThereIfItDoesNotHold() {
    Variants variants = new Variants(List.of("a", "b", "c", "d"));
    variants.add("x", List.of("a", "d"));

    assertThat(variants.template())
        .containsExactly("a", "{{- if not (x) }}", "b", "c", "{{- end }}", "d");
  }

  @Test
  void whatAConditionReplacesIsThereInOneFormOrTheOther() {
    Variants variants = new Variants(List.of("a", "b", "c"));
    variants.add("x", List.of("a", "B", "c"));

    assertThat(variants.template())
        .containsExactly(
            "a", "{{- if x }}", "B", "{{- end }}", "{{- if not (x) }}", "b", "{{- end }}", "c");
  }

  @Test
  void ofTwoThatAddAtOnePlaceTheFirstComesFirst() {
    Variants variants = new Variants(List.of("a"));
    variants.add("x", List.of("a", "1"));
    variants.add("y", List.of("a", "2"));

    assertThat(variants.template())
        .containsExactly("a", "{{- if x }}", "1", "{{- end }}", "{{- if y }}", "2", "{{- end }}");
  }

  @Test
  void whatTwoConditionsTakeAwayIsThereIfNeitherHolds() {
    Variants variants = new Variants(List.of("a", "b"));
    variants.add("x", List.of("b"));
    variants.add("y", List.of("b"));

    assertThat(variants.template())
        .containsExactly("{{- if not (or (x) (y)) }}", "a", "{{- end }}", "b");
  }
}
