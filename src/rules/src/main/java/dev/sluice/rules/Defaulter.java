package dev.sluice.rules;

/** What Sluice sets in objects of one kind before they are checked. Stateless. */
@FunctionalInterface
public interface Defaulter {
  /** Changes nothing. */
  Defaulter NONE = (_, _, _) -> {};

  /**
   * Edits the draft of the request's object. Must cope with any JSON, must change nothing when run
   * again on its own result, and may refuse the object by adding to {@code findings}.
   */
  void apply(RuleInput input, PatchRecorder draft, ValidationResult findings);

  /** This one, and then the other. */
  default Defaulter andThen(Defaulter other) {
    return (input, draft, findings) -> {
      apply(input, draft, findings);
      other.apply(input, draft, findings);
    };
  }
}
