package dev.sluice.webhook.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.rules.Reviews;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.webhook.StandardRules;
import java.util.List;

/** Short ways to ask the standard rules. */
public final class StandardReviews {
  private StandardReviews() {}

  /** What the standard rules find. */
  public static ValidationResult check(ApiKind kind, RuleInput input) {
    return StandardRules.book().check(kind.groupKind(), input);
  }

  /** The patch that the standard defaulter makes, as {@code op path value}. */
  public static List<String> patch(ApiKind kind, RuleInput input) {
    return StandardRules.book()
        .find(kind.groupKind())
        .orElseThrow()
        .apply(input, new ValidationResult())
        .edits()
        .stream()
        .map(it -> it.op() + " " + it.path() + " " + it.value())
        .toList();
  }

  public static ValidationResult onCreate(ApiKind kind, JsonNode object) {
    return StandardRules.book().check(kind.groupKind(), Reviews.creation(object));
  }

  public static ValidationResult onUpdate(ApiKind kind, JsonNode old, JsonNode object) {
    return StandardRules.book().check(kind.groupKind(), Reviews.update(old, object));
  }
}
