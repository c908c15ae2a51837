package dev.sluice.api.pod;

import java.util.List;

/** One condition on a node; the operator is In, NotIn, Exists, DoesNotExist, Gt or Lt. */
public record NodeSelectorRequirement(String key, String operator, List<String> values) {
  public NodeSelectorRequirement {
    values = List.copyOf(values);
  }
}
