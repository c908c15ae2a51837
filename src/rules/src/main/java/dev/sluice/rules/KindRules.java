package dev.sluice.rules;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.GroupVersionKind;
import java.util.Set;

/**
 * Defaults and rules of one kind.
 *
 * @param kind the kind, at the version of its reviews
 * @param defaultedOn the operations on which the defaulter runs; none for a kind without one
 * @param defaulter sets the defaults
 * @param rules checks the object
 */
public record KindRules(
    GroupVersionKind kind,
    Set<RuleInput.Operation> defaultedOn,
    Defaulter defaulter,
    AdmissionRules rules) {
  public KindRules {
    requireNonNull(kind, "kind");
    defaultedOn = Set.copyOf(defaultedOn);
    requireNonNull(defaulter, "defaulter");
    requireNonNull(rules, "rules");
  }

  /** A kind in which nothing is set. */
  public static KindRules of(GroupVersionKind kind, AdmissionRules rules) {
    return new KindRules(kind, Set.of(), Defaulter.NONE, rules);
  }

  /** A kind in which something is set when it is created. */
  public static KindRules of(GroupVersionKind kind, Defaulter defaulter, AdmissionRules rules) {
    return new KindRules(kind, Set.of(RuleInput.Operation.CREATE), defaulter, rules);
  }

  /**
   * Sets the defaults. Does nothing on an operation without the defaulter, and for an object that
   * is being deleted and keeps its spec.
   */
  public PatchRecorder apply(RuleInput input, ValidationResult findings) {
    var draft = new PatchRecorder(input.object());
    if (defaultedOn.contains(input.operation()) && !input.onlyLetsGo()) {
      defaulter.apply(input, draft, findings);
    }
    return draft;
  }

  /**
   * What the rules find. Nothing for a DELETE, and for an UPDATE of an object that is being deleted
   * and keeps its spec: its finalizers can always go.
   */
  public ValidationResult check(RuleInput input) {
    var findings = new ValidationResult();
    if (input.operation() != RuleInput.Operation.DELETE && !input.onlyLetsGo()) {
      rules.check(input, findings);
    }
    return findings;
  }
}
