package dev.sluice.rules;

import static dev.sluice.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.api.ApiKind;
import dev.sluice.rules.RuleInput.Operation;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ValidationResultTest {
  private final ValidationResult findings = new ValidationResult();

  @Test
  void denyNothingWhenThereIsNothingOrOnlyAWarning() {
    findings.warn("careful");

    assertThat(findings.refuse()).isFalse();
    assertThat(denial("a")).isEmpty();
  }

  @Test
  @DisplayName("RSP-02 one error is its text; the answer is 403 Forbidden (RSP-05)")
  void denyWithTheOneText() {
    findings.add(required("spec.levels", "x"));

    assertThat(denial("a"))
        .contains(
            new Denial(
                403, "Forbidden", "Topology \"a\" is invalid: spec.levels: Required value: x"));
  }

  @Test
  @DisplayName("RSP-02 several errors stand in brackets, equal texts once")
  void denyWithAllTexts() {
    String shared = "v".repeat(500);
    findings.add(required("spec.b", ""));
    findings.add(required("spec.a", ""));
    findings.add(required("spec.b", ""));
    findings.add(FieldError.invalid("spec.c", TextNode.valueOf(shared + "1"), ""));
    findings.add(FieldError.invalid("spec.c", TextNode.valueOf(shared + "2"), ""));

    String message = denial("a").orElseThrow().message();

    assertThat(message)
        .startsWith(
            "Topology \"a\" is invalid: [spec.b: Required value, spec.a: Required value, spec.c:")
        .containsOnlyOnce("spec.c")
        .endsWith("...]");
  }

  @Test
  void denyAnObjectWithoutAName() {
    findings.add(required("spec", ""));
    var input = new RuleInput(Operation.CREATE, json("{}"), null, ReviewContext.UNKNOWN);

    assertThat(Denial.of(ApiKind.COHORT.groupKind(), input, findings).orElseThrow().message())
        .isEqualTo("Cohort is invalid: spec: Required value");
  }

  @Test
  void keepTheFirst64ViolationsAndCountTheRest() {
    for (int i = 0; i < 1000; i++) {
      findings.add(required("spec.f" + i, ""));
    }

    assertThat(findings.violations()).hasSize(64);
    assertThat(findings.omittedViolations()).isEqualTo(936);
    assertThat(denial("a").orElseThrow().message()).endsWith("Required value, and 936 more]");
  }

  @Test
  void keepTheFirst16WarningsShortAndCountTheRest() {
    for (int i = 0; i < 100; i++) {
      findings.warn(i + " " + "w".repeat(1000));
    }

    assertThat(findings.warnings()).hasSize(17).last().isEqualTo("and 84 more warnings");
    assertThat(findings.warnings().getFirst()).hasSize(256).endsWith("...");
  }

  private Optional<Denial> denial(String name) {
    var object = json("{'metadata':{'name':'" + name + "'}}");
    return Denial.of(
        ApiKind.TOPOLOGY.groupKind(),
        new RuleInput(Operation.CREATE, object, null, ReviewContext.UNKNOWN),
        findings);
  }

  private static FieldError required(String field, String detail) {
    return new FieldError(FieldError.Type.REQUIRED, field, null, detail);
  }
}
