package dev.sluice.rules;

import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Runs rules so that an UPDATE is not refused for what the stored object already had: the same
 * violation at the same place with the same value becomes a warning. So objects from before a rule
 * stay editable, and no edit can add to what is wrong with them.
 */
public final class Ratchet {
  // Far more than an object of the sizes our schemas allow can have. Beyond it, faults of an old
  // object are no longer known one by one, and only an unchanged spec is let through.
  private static final int MAX_KNOWN = 1024;

  private Ratchet() {}

  /** Adds what the rules find in the new object to {@code findings}. */
  public static void check(
      RuleInput input, ValidationResult findings, BiConsumer<Field, ValidationResult> rules) {
    var found = new ValidationResult(MAX_KNOWN);
    rules.accept(input.root(), found);
    Set<FieldError> known = found.refuse() ? known(input, rules) : Set.of();
    for (FieldError violation : found.violations()) {
      if (known.contains(violation)) {
        findings.warn(violation.text() + " (kept as it was before this update)");
      } else {
        findings.add(violation);
      }
    }
    if (!input.hasSameSpec()) {
      findings.omit(found.omittedViolations());
    }
    found.warnings().forEach(findings::warn);
  }

  private static Set<FieldError> known(RuleInput input, BiConsumer<Field, ValidationResult> rules) {
    var known = new ValidationResult(MAX_KNOWN);
    input.oldRoot().ifPresent(old -> rules.accept(old, known));
    return Set.copyOf(known.violations());
  }
}
