package dev.sluice.webhook.rules.workload;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.settings.Settings;

/** The annotation that raises or lowers the priority of a Workload. */
final class PriorityBoost {
  private PriorityBoost() {}

  static void check(Field root, Settings settings, ValidationResult findings) {
    Field boost = new WorkloadView(root).annotation(Annotations.PRIORITY_BOOST);
    if (settings.isOn(FeatureGate.PRIORITY_BOOST)
        && boost.isPresent()
        && !isInteger(boost.text().orElse(""))) {
      findings.add(FieldError.invalid(boost, "must be an integer of 32 bits, such as 10 or -5"));
    }
  }

  private static boolean isInteger(String text) {
    if (!text.matches("[+-]?[0-9]+")) {
      return false;
    }
    try {
      Integer.parseInt(text);
      return true;
    } catch (NumberFormatException e) { // of ASCII digits only one thing can be wrong: too many
      return false;
    }
  }
}
