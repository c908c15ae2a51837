package dev.sluice.rules.gates;

import static dev.sluice.rules.Reviews.creation;
import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.json;
import static dev.sluice.rules.Reviews.update;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.rules.Reviews;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdmissionGatedByTest {
  private static final String PATH = "metadata.annotations[kueue.x-k8s.io/admission-gated-by]";

  @ParameterizedTest(name = "{0}: \"{1}\" -> {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "none",
      emptyValue = "",
      textBlock =
          """
          AG-01 empty         | ``                   | none
          AG-02 blank         | `  `                 | none
          AG-02 one           | a.b/c                | none
          AG-02 spaces        | ` a.b/c , d/e `      | none
          AG-02 trailing      | a.b/c,               | INVALID
          AG-02 only commas   | `,`                  | INVALID
          AG-03 twice         | a/b,a/b              | INVALID
          AG-04 no slash      | ab                   | INVALID
          AG-04 no host       | /b                   | INVALID
          AG-04 no path       | a/                   | INVALID
          AG-04 two slashes   | a/b/c                | none
          AG-04 bad host      | A_/b                 | INVALID
          AG-04 bad path      | a/b c                | INVALID
          """)
  void checksTheNames(String rule, String value, String fault) {
    assertThat(faultsOf(creation(annotated(value))))
        .isEqualTo(fault == null ? List.of() : List.of(fault + " " + PATH));
  }

  @Test
  void limitsEachNameTo63Bytes() { // AG-05
    assertThat(faultsOf(creation(annotated("a/" + "b".repeat(61) + ",c/d")))).isEmpty();
    assertThat(faultsOf(creation(annotated("a/" + "b".repeat(62)))))
        .containsExactly("TOO_LONG " + PATH);
  }

  @ParameterizedTest(name = "{0}: \"{1}\" to \"{2}\"")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "none",
      textBlock =
          """
          AG-06 added         | none    | a/b     | FORBIDDEN
          AG-06 was empty     | ``      | a/b     | FORBIDDEN
          AG-07 one more      | a/b     | a/b,c/d | FORBIDDEN
          AG-07 another       | a/b     | c/d     | FORBIDDEN
          AG-07 fewer         | a/b,c/d | c/d     | none
          AG-07 reordered     | a/b,c/d | c/d,a/b | none
          AG-07 emptied       | a/b     | ``      | none
          AG-07 removed       | a/b     | none    | none
          AG-02 checked again | a/b     | a/b,    | INVALID+FORBIDDEN
          """)
  void letsNamesGoButNotCome(String rule, String before, String after, String faults) {
    List<String> expected =
        faults == null
            ? List.of()
            : List.of(faults.split("\\+")).stream().map(it -> it + " " + PATH).toList();

    assertThat(faultsOf(update(annotated(before), annotated(after)))).isEqualTo(expected);
  }

  @Test
  void asksNothingWhileTheFeatureIsOff() {
    var off = new RuleInput(RuleInput.Operation.CREATE, annotated("@"), null, Reviews.worldWith());

    assertThat(faultsOf(off)).isEmpty();
  }

  private static List<String> faultsOf(RuleInput input) {
    var findings = new ValidationResult();
    AdmissionGatedBy.check(input, findings);
    return faults(findings);
  }

  private static JsonNode annotated(String value) {
    return json(
        value == null
            ? "{'metadata':{'name':'a'}}"
            : "{'metadata':{'name':'a','annotations':{'kueue.x-k8s.io/admission-gated-by':'"
                + value
                + "'}}}");
  }
}
