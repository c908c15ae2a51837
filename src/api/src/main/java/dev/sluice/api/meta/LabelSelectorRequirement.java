package dev.sluice.api.meta;

import java.util.List;
import java.util.Map;

/** One condition on a label; the operator is In, NotIn, Exists or DoesNotExist. */
public record LabelSelectorRequirement(String key, String operator, List<String> values) {
  public LabelSelectorRequirement {
    values = List.copyOf(values);
  }

  /** Whether it holds for labels. An operator that there is none of never does. */
  public boolean matches(Map<String, String> labels) {
    return matches(key, operator, values, labels);
  }

  /** Whether a requirement of these parts would hold for labels. */
  public static boolean matches(
      String key, String operator, List<String> values, Map<String, String> labels) {
    String value = labels.get(key);
    return switch (operator) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default -> false;
    };
  }
}
