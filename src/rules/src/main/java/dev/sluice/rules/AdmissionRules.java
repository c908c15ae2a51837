package dev.sluice.rules;

/** The rules of one kind, written against the hub version. Stateless: any thread may call them. */
@FunctionalInterface
public interface AdmissionRules {
  /**
   * Adds to {@code findings} whatever speaks against storing the object. Called for CREATE and
   * UPDATE; must cope with any JSON as object and old object.
   */
  void check(RuleInput input, ValidationResult findings);
}
