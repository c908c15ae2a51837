package dev.sluice.rules.metadata;

import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.rules.Field;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelRulesTest {
  @ParameterizedTest(name = "{0} has {1} faults")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'a':'b','x.y/z':''}   | 0
          {'':'b'}               | 2
          {'@':'b'}              | 1
          {'a/b/c':'d'}          | 1
          {'a':'-'}              | 1
          {'/a':'@'}             | 2
          """)
  void reportsEachFaultOfLabelsAtTheMap(String labels, int count) {
    assertThat(labels(labels)).hasSize(count).allMatch("INVALID m"::equals);
  }

  @Test
  void limitsTheLengthOfNamesAndValues() {
    assertThat(labels("{'%s':'%s'}".formatted("n".repeat(63), "v".repeat(63)))).isEmpty();
    assertThat(labels("{'%s':'%s'}".formatted("n".repeat(64), "v".repeat(64)))).hasSize(2);
  }

  private static List<String> labels(String map) {
    var findings = new ValidationResult();
    LabelRules.checkLabels(new Field("m", json(map)), findings);
    return faults(findings);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'Example.COM/a':'anything, at $all'} | 0
          {'@':'x'}                             | 1
          """)
  void allowsCapitalsInAnnotationKeysAndAnyValue(String annotations, int count) {
    assertThat(annotations(annotations)).hasSize(count).allMatch("INVALID m"::equals);
  }

  @Test
  void limitsAnnotationsToAQuarterOfAMebibyteInBytes() {
    String half = "\u00e9".repeat(AnnotationRules.MAX_BYTES / 2 - 1);

    assertThat(annotations("{'a':'" + half + "','b':''}")).isEmpty();
    assertThat(annotations("{'a':'" + half + "','b':'x'}")).containsExactly("TOO_LONG m");
  }

  private static List<String> annotations(String map) {
    var findings = new ValidationResult();
    AnnotationRules.check(new Field("m", json(map)), findings);
    return faults(findings);
  }
}
