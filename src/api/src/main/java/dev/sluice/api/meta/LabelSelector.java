package dev.sluice.api.meta;

import java.util.List;
import java.util.Map;

/** Which labels are meant: all of {@code matchLabels} and all of {@code matchExpressions}. */
public record LabelSelector(
    Map<String, String> matchLabels, List<LabelSelectorRequirement> matchExpressions) {
  public LabelSelector {
    matchLabels = Copies.of(matchLabels);
    matchExpressions = List.copyOf(matchExpressions);
  }

  /** Whether labels are what is meant; without any condition all are. */
  public boolean matches(Map<String, String> labels) {
    return labels.entrySet().containsAll(matchLabels.entrySet())
        && matchExpressions.stream().allMatch(expression -> expression.matches(labels));
  }
}
