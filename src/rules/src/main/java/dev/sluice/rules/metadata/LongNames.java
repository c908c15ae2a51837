package dev.sluice.rules.metadata;

import dev.sluice.api.names.LabelValue;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.RuleInput.Operation;
import dev.sluice.rules.ValidationResult;

/** Names that can be stored but not be written into the label by which jobs refer to them. */
public final class LongNames {
  private LongNames() {}

  /** Warns on a CREATE of an object whose name no job can have in that label. */
  public static void warn(RuleInput input, String label, ValidationResult findings) {
    int length = input.name().orElse("").length();
    if (input.operation() == Operation.CREATE && length > LabelValue.MAX_LENGTH) {
      findings.warn(
          "metadata.name: has %d characters, and no label %s can have more than %d"
              .formatted(length, label, LabelValue.MAX_LENGTH));
    }
  }
}
