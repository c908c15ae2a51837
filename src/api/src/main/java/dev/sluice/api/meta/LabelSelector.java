package dev.sluice.api.meta;

import java.util.List;
import java.util.Map;

/**
 * Chooses objects by their labels: those that satisfy all of {@code matchLabels} and all of {@code
 * matchExpressions}. Keeps the order it was given.
 */
public record LabelSelector(
    Map<String, String> matchLabels, List<LabelSelectorRequirement> matchExpressions) {
  /** Matches every object. */
  public static final LabelSelector EVERYTHING = new LabelSelector(Map.of(), List.of());

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
