package dev.sluice.rules;

import dev.sluice.api.GroupKind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * The answer to a request that rules refuse, as clients see it.
 *
 * @param code the HTTP code of the status
 * @param reason the reason of the status
 * @param message one line: kind and name of the object, then all violations
 */
public record Denial(int code, String reason, String message) {

  /** The denial for these findings; empty if they do not refuse the object. */
  public static Optional<Denial> of(GroupKind kind, RuleInput input, ValidationResult findings) {
    if (findings.failure().isPresent()) {
      return findings.failure();
    }
    return findings.refuse()
        ? Optional.of(new Denial(403, "Forbidden", message(kind, input, findings)))
        : Optional.empty();
  }

  private static String message(GroupKind kind, RuleInput input, ValidationResult findings) {
    String object =
        input.name().map(name -> kind.kind() + " " + ValueText.quoted(name)).orElse(kind.kind());
    return object + " is invalid: " + aggregate(findings);
  }

  private static String aggregate(ValidationResult findings) {
    var distinct = new LinkedHashSet<String>();
    findings.violations().forEach(violation -> distinct.add(violation.text()));
    List<String> texts = new ArrayList<>(distinct);
    if (findings.omittedViolations() > 0) {
      texts.add("and " + findings.omittedViolations() + " more");
    }
    return texts.size() == 1 ? texts.getFirst() : "[" + String.join(", ", texts) + "]";
  }
}
