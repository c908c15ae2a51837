package dev.sluice.webhook.rules.conditions;

import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.metadata.LabelRules;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a list of conditions must be. Values of a wrong type are passed. */
public final class ConditionRules {
  private static final List<String> STATUSES = List.of("False", "True", "Unknown");

  /** The zero time as Go writes it. */
  private static final String NO_TIME = "0001-01-01T00:00:00Z";

  private static final int MAX_REASON = 1024;
  private static final int MAX_MESSAGE = 32 * 1024;

  private ConditionRules() {}

  /** Reports each deviation at its path. */
  public static void check(Field list, ValidationResult findings) {
    Set<String> types = new HashSet<>();
    for (Field condition : list.items(Conditions.MAX_ITEMS)) {
      Field type = condition.child("type");
      if (type.text().isPresent() && !types.add(type.text().get())) {
        findings.add(FieldError.duplicate(type));
      }
      check(condition, type, findings);
    }
  }

  private static void check(Field condition, Field type, ValidationResult findings) {
    LabelRules.checkKey(type, findings);
    Field status = condition.child("status");
    if (status.text().filter(STATUSES::contains).isEmpty()) {
      findings.add(FieldError.notSupported(status, STATUSES));
    }
    Field generation = condition.child("observedGeneration");
    if (generation.node().isNumber() && generation.node().doubleValue() < 0) {
      findings.add(FieldError.invalid(generation, "must not be less than 0"));
    }
    Field time = condition.child("lastTransitionTime");
    if (!time.isPresent() || time.text().filter(NO_TIME::equals).isPresent()) {
      findings.add(FieldError.required(time, "must be the time of the last change"));
    }
    checkReason(condition.child("reason"), findings);
    checkLength(condition.child("message"), MAX_MESSAGE, findings);
  }

  private static void checkReason(Field reason, ValidationResult findings) {
    String text = reason.text().orElse("");
    if (text.isEmpty()) {
      findings.add(FieldError.required(reason, "must be a word in CamelCase that says why"));
    } else if (!isReason(text)) {
      findings.add(
          FieldError.invalid(
              reason,
              "must start with a letter, end with a letter, a digit or '_',"
                  + " and have only those, ',' and ':' between"));
    }
    checkLength(reason, MAX_REASON, findings);
  }

  private static boolean isReason(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      boolean end = letter || (c >= '0' && c <= '9') || c == '_';
      boolean fits = i == 0 ? letter : end || (i < text.length() - 1 && (c == ',' || c == ':'));
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  private static void checkLength(Field field, int max, ValidationResult findings) {
    int length = field.text().orElse("").length();
    if (length > max) {
      findings.add(
          FieldError.tooLong(field, "may have %d characters, not %d".formatted(max, length)));
    }
  }
}
