package dev.sluice.examples.bakery;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.conversion.step.FieldConversion;
import dev.sluice.conversion.step.KindVersions;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import java.util.List;

/** The kind Order: its rule and its versions. */
final class Orders {
  static final String PLURAL = "orders";

  /** The rule is written for v1. The API server converts an older object before it asks. */
  static final KindRules RULES =
      KindRules.of(new GroupVersionKind("bakery.example", "v1", "Order"), Orders::check);

  /** The fields that differ. All other fields are copied as they are. */
  static final KindVersions VERSIONS =
      KindVersions.of("bakery.example", "Order", "v1alpha1")
          .then(
              "v1",
              FieldConversion.renamed("loaves", List.of("spec"), "count", "loaves"),
              FieldConversion.onlyInNewer("glutenFree", List.of("spec"), "glutenFree"));

  private static final long OVEN = 100;

  private Orders() {}

  private static void check(RuleInput input, ValidationResult result) {
    Field loaves = input.root().child("spec").child("loaves");
    if (loaves.integer().orElse(0L) > OVEN) {
      result.add(FieldError.invalid(loaves, "must be at most 100, which is what the oven holds"));
    }
  }
}
