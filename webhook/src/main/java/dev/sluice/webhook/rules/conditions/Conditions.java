package dev.sluice.webhook.rules.conditions;

import dev.sluice.rules.Field;

/** Reads the conditions of a status. */
public final class Conditions {
  // far beyond the sixteen that a schema allows, so that an answer costs little whatever comes
  static final int MAX_ITEMS = 256;

  private Conditions() {}

  /** Whether the object has a condition of that type with status {@code True}. */
  public static boolean isTrue(Field root, String type) {
    for (Field condition : root.child("status").child("conditions").items(MAX_ITEMS)) {
      if (condition.child("type").text().orElse("").equals(type)) {
        return condition.child("status").text().orElse("").equals("True");
      }
    }
    return false;
  }
}
