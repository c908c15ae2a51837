package dev.sluice.webhook.rules.quota;

import dev.sluice.api.Quantity;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import java.math.BigDecimal;

/** What {@code spec.fairSharing} must be. */
public final class FairSharingRules {
  private static final BigDecimal NANO = BigDecimal.valueOf(1, 9);

  private FairSharingRules() {}

  /** Reports values of a wrong type, at their paths. */
  public static void checkShape(Field spec, ValidationResult findings) {
    Field fairSharing = spec.child("fairSharing");
    if (fairSharing.expectObject(findings)) {
      fairSharing.child("weight").expectQuantity(findings);
    }
  }

  /** Reports a weight out of range, at {@code spec.fairSharing}, where clients expect it. */
  public static void checkWeight(Field spec, ValidationResult findings) {
    Field fairSharing = spec.child("fairSharing");
    Field weight = fairSharing.child("weight");
    weight
        .quantity()
        .filter(FairSharingRules::isOutOfRange)
        .ifPresent(
            _ ->
                findings.add(
                    FieldError.invalidQuantity(
                        fairSharing.path(), weight, "the weight must be 0, or greater than 1n")));
  }

  private static boolean isOutOfRange(Quantity weight) {
    return weight.signum() < 0 || (weight.signum() > 0 && weight.value().compareTo(NANO) <= 0);
  }
}
