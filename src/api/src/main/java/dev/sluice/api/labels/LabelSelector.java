package dev.sluice.api.labels;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses objects by their labels: those that satisfy every requirement. A selector without
 * requirements matches all. Immutable; keeps the order it was given.
 *
 * @param matchLabels labels an object must have with exactly these values
 * @param matchExpressions further requirements
 */
public record LabelSelector(Map<String, String> matchLabels, List<Requirement> matchExpressions) {
  /** Matches every object. */
  public static final LabelSelector EVERYTHING = new LabelSelector(Map.of(), List.of());

  /** How a label is compared. */
  public enum Operator {
    /** The label is there with one of the values. */
    IN("In"),
    /** The label is not there, or has none of the values. */
    NOT_IN("NotIn"),
    /** The label is there. */
    EXISTS("Exists"),
    /** The label is not there. */
    DOES_NOT_EXIST("DoesNotExist");

    private final String text;

    Operator(String text) {
      this.text = text;
    }

    /** Whether it compares with values; if so there must be at least one. */
    public boolean takesValues() {
      return this == IN || this == NOT_IN;
    }

    /** The operator written like this; empty for any other text. */
    public static Optional<Operator> find(String text) {
      for (Operator operator : values()) {
        if (operator.text.equals(text)) {
          return Optional.of(operator);
        }
      }
      return Optional.empty();
    }

    /** As it stands in manifests. */
    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * What one label must be like.
   *
   * @param key the label
   * @param operator how it is compared
   * @param values with what; empty exactly if the operator takes none
   */
  public record Requirement(String key, Operator operator, List<String> values) {
    public Requirement {
      values = List.copyOf(values);
      if (operator.takesValues() == values.isEmpty()) {
        throw new IllegalArgumentException(
            "values: %s (expected: %s for %s)"
                .formatted(values, operator.takesValues() ? "at least one" : "none", operator));
      }
    }

    private boolean matches(Map<String, String> labels) {
      return switch (operator) {
        case IN -> labels.containsKey(key) && values.contains(labels.get(key));
        case NOT_IN -> !labels.containsKey(key) || !values.contains(labels.get(key));
        case EXISTS -> labels.containsKey(key);
        case DOES_NOT_EXIST -> !labels.containsKey(key);
      };
    }
  }

  public LabelSelector {
    matchLabels = Collections.unmodifiableMap(new LinkedHashMap<>(matchLabels));
    matchExpressions = List.copyOf(matchExpressions);
  }

  /** Whether an object with these labels is chosen. */
  public boolean matches(Map<String, String> labels) {
    for (Map.Entry<String, String> wanted : matchLabels.entrySet()) {
      if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
        return false;
      }
    }
    for (Requirement requirement : matchExpressions) {
      if (!requirement.matches(labels)) {
        return false;
      }
    }
    return true;
  }
}
