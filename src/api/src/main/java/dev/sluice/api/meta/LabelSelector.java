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
}
