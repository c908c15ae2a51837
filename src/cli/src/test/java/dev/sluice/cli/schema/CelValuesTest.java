package dev.sluice.cli.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CelValuesTest {
  /** As in {@code escaping.go} of the API server. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for",
        "function", "if", "import", "let", "loop", "package", "namespace", "return", "var", "void",
        "while"
      })
  void escapesTheWordsThatCelReserves(String word) {
    assertThat(CelValues.escape(word)).isEqualTo("__" + word + "__");
  }

  @ParameterizedTest
  @CsvSource({
    "name, name",
    "whiles, whiles",
    "a__b, a__underscores__b",
    "a.b-c/d, a__dot__b__dash__c__slash__d"
  })
  void escapesWhatCelCannotWriteInAName(String name, String escaped) {
    assertThat(CelValues.escape(name)).isEqualTo(escaped);
  }
}
