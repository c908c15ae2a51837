package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.Problem.Type.FORBIDDEN;
import static dev.sluice.api.configuration.Problem.Type.INVALID;
import static dev.sluice.api.configuration.Problem.Type.NOT_SUPPORTED;
import static dev.sluice.api.configuration.Problem.Type.REQUIRED;

import dev.sluice.api.meta.LabelSelector;
import dev.sluice.api.meta.LabelSelectorRequirement;
import dev.sluice.api.names.LabelKey;
import dev.sluice.api.names.LabelValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads label selectors. */
final class SelectorReader {
  private static final List<String> WITH_VALUES = List.of("In", "NotIn");
  private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

  private SelectorReader() {}

  /** The selector; empty if it is not there. What is wrong with it is left out. */
  static Optional<LabelSelector> read(Fields fields) {
    Map<String, String> labels = labels(fields);
    List<LabelSelectorRequirement> requirements =
        fields.objects("matchExpressions", SelectorReader::requirement);
    fields.end();
    return fields.present()
        ? Optional.of(new LabelSelector(labels, requirements))
        : Optional.empty();
  }

  private static Map<String, String> labels(Fields fields) {
    Map<String, String> labels = new LinkedHashMap<>();
    fields
        .members("matchLabels")
        .forEach(
            (key, value) -> {
              String path = fields.path("matchLabels") + "[" + key + "]";
              if (!value.isTextual()) {
                fields.problems().add(INVALID, path, Fields.wrong(value, "a text"));
                return;
              }
              report(fields, path, key, LabelKey.problems(key));
              report(fields, path, value.textValue(), LabelValue.problems(value.textValue()));
              labels.put(key, value.textValue());
            });
    return labels;
  }

  private static Optional<LabelSelectorRequirement> requirement(Fields fields) {
    String key = fields.text("key", "");
    report(fields, fields.path("key"), key, LabelKey.problems(key));
    String operator = fields.text("operator").orElse("");
    List<String> values = fields.texts("values");
    for (int i = 0; i < values.size(); i++) {
      String path = fields.path("values") + "[" + i + "]";
      report(fields, path, values.get(i), LabelValue.problems(values.get(i)));
    }
    fields.end();
    if (!OPERATORS.contains(operator)) {
      fields.problem(NOT_SUPPORTED, "operator", Fields.unsupported(operator, OPERATORS));
      return Optional.empty();
    }
    return requirement(fields, key, operator, values);
  }

  private static Optional<LabelSelectorRequirement> requirement(
      Fields fields, String key, String operator, List<String> values) {
    boolean withValues = WITH_VALUES.contains(operator);
    if (withValues && values.isEmpty()) {
      fields.problem(REQUIRED, "values", "[] (expected: at least one for " + operator + ")");
      return Optional.empty();
    }
    if (!withValues && !values.isEmpty()) {
      fields.problem(FORBIDDEN, "values", Fields.wrong(values, "none for " + operator));
      return Optional.empty();
    }
    return Optional.of(new LabelSelectorRequirement(key, operator, values));
  }

  private static void report(Fields fields, String path, String text, List<String> sentences) {
    for (String sentence : sentences) {
      fields.problems().add(INVALID, path, "\"" + text + "\" " + sentence);
    }
  }
}
