package dev.sluice.api.meta;

import java.util.List;

/** One condition on a label; the operator is In, NotIn, Exists or DoesNotExist. */
public record LabelSelectorRequirement(String key, String operator, List<String> values) {
  public LabelSelectorRequirement {
    values = List.copyOf(values);
  }
}
