package dev.sluice.webhook.rules.selector;

import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.metadata.LabelRules;

/** What a label selector must be. */
public final class LabelSelectorRules {
  // no selector has more; an object of the size that is read could have more
  private static final int MAX_ITEMS = 10_000;

  private LabelSelectorRules() {}

  /** Reports each deviation at its path; nothing for an absent selector. */
  public static void check(Field selector, ValidationResult findings) {
    LabelRules.checkLabels(selector.child("matchLabels"), findings);
    for (Field expression : selector.child("matchExpressions").items(MAX_ITEMS)) {
      checkExpression(expression, findings);
    }
  }

  private static void checkExpression(Field expression, ValidationResult findings) {
    Field operator = expression.child("operator");
    Field values = expression.child("values");
    boolean hasValues = !values.node().isEmpty();
    switch (operator.text().orElse("")) {
      case "In", "NotIn" -> {
        if (!hasValues) {
          findings.add(
              FieldError.required(values, "In and NotIn need at least one value to compare with"));
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (hasValues) {
          findings.add(
              FieldError.forbidden(values, "Exists and DoesNotExist ask for the key alone"));
        }
      }
      default ->
          findings.add(FieldError.invalid(operator, "must be In, NotIn, Exists or DoesNotExist"));
    }
    LabelRules.checkKey(expression.child("key"), findings);
    values.items(MAX_ITEMS).forEach(value -> LabelRules.checkValue(value, findings));
  }
}
