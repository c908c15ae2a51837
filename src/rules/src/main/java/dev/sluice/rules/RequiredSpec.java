package dev.sluice.rules;

/** For kinds that are meaningless without a spec, although their schema allows it to be absent. */
public final class RequiredSpec {
  private static final String SPEC = "spec";

  private RequiredSpec() {}

  /**
   * Whether the update leaves the object a spec, if it had one; else reports it. Rules of the
   * schema on how a spec may change are not asked while there is none, so the way from one to
   * another must not lead over no spec at all.
   *
   * @param lost what would be lost, such as {@code its levels}
   */
  public static boolean isKept(RuleInput input, String lost, ValidationResult findings) {
    Field spec = input.root().child(SPEC);
    boolean had = input.oldRoot().filter(old -> old.child(SPEC).isPresent()).isPresent();
    if (had && !spec.isPresent()) {
      findings.add(
          FieldError.forbidden(
              spec, "an update must not remove the spec: " + lost + " would be lost"));
      return false;
    }
    return true;
  }

  /**
   * Whether there is a spec; else reports the member that is missing most.
   *
   * @param expected what the member would be, such as {@code the name of a controller}
   */
  public static boolean isPresent(
      Field root, String member, String expected, ValidationResult findings) {
    Field spec = root.child(SPEC);
    if (!spec.isPresent()) {
      findings.add(
          FieldError.required(spec.child(member), "there is no spec (expected: " + expected + ")"));
    }
    return spec.isPresent();
  }
}
