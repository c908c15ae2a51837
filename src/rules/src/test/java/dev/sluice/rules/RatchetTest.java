package dev.sluice.rules;

import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.rules.RuleInput.Operation;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class RatchetTest {
  @Test
  void refusesEachFaultOfACreate() {
    var findings = check(Operation.CREATE, object("[1,2]"), object("[1,2]"));

    assertThat(faults(findings)).containsExactly("INVALID spec[0]", "INVALID spec[1]");
    assertThat(findings.warnings()).containsExactly("2 items");
  }

  @Test
  void refusesOnlyWhatAnUpdateAddsAndWarnsOfTheRest() {
    var findings = check(Operation.UPDATE, object("[1,3,'ok']"), object("[1,2,3]"));

    assertThat(faults(findings)).containsExactly("INVALID spec[1]");
    assertThat(findings.warnings())
        .containsExactly(
            "spec[0]: Invalid value: 1: must be text, not a number (kept as it was before this"
                + " update)",
            "3 items");
  }

  @Test
  void refusesEachFaultOfAnUpdateThatCameWithoutTheOldObject() {
    var input = new RuleInput(Operation.UPDATE, object("[1]"), null, ReviewContext.UNKNOWN);
    var findings = new ValidationResult();

    Ratchet.check(input, findings, RatchetTest::texts);

    assertThat(faults(findings)).containsExactly("INVALID spec[0]");
  }

  @Test
  void letsOnlyAnUnchangedSpecPassWhenItsFaultsAreTooManyToKnow() {
    var faulty = object(Collections.nCopies(5000, 1).toString());

    assertThat(check(Operation.UPDATE, faulty, faulty).refuse()).isFalse();
    assertThat(check(Operation.UPDATE, object(Collections.nCopies(4999, 1).toString()), faulty))
        .matches(ValidationResult::refuse);
  }

  private static ValidationResult check(Operation operation, JsonNode object, JsonNode old) {
    var findings = new ValidationResult();
    Ratchet.check(
        new RuleInput(operation, object, old, ReviewContext.UNKNOWN), findings, RatchetTest::texts);
    return findings;
  }

  private static void texts(Field root, ValidationResult findings) {
    var items = root.child("spec").items(10_000);
    items.forEach(item -> item.expectText(findings));
    findings.warn(items.size() + " items");
  }
}
