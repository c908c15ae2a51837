package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.Problem.Type.DUPLICATE;
import static dev.sluice.api.configuration.Problem.Type.INVALID;
import static dev.sluice.api.configuration.Problem.Type.REQUIRED;
import static dev.sluice.api.configuration.Problem.Type.TOO_MANY;

import dev.sluice.api.configuration.Manager.CustomLabel;
import dev.sluice.api.names.LabelKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the labels of metrics that are taken from objects. */
final class CustomLabelsReader {
  private static final String LIST = "customLabels";
  private static final String WORKLOAD = CustomLabel.WORKLOAD;
  private static final Pattern NAME = Pattern.compile("[a-zA-Z][a-zA-Z0-9_]{0,127}");
  private static final int MAX_LABELS = 20;

  private final Set<String> names = new HashSet<>();
  private final Map<String, Integer> perKind = new HashMap<>();

  private CustomLabelsReader() {}

  static List<CustomLabel> read(Fields metrics) {
    CustomLabelsReader reader = new CustomLabelsReader();
    List<CustomLabel> labels = metrics.objects(LIST, reader::label);
    if (labels.size() > MAX_LABELS) {
      metrics.problem(
          TOO_MANY, LIST, Fields.wrong(labels.size() + " labels", "at most " + MAX_LABELS));
    }
    return labels;
  }

  private Optional<CustomLabel> label(Fields fields) {
    String name = name(fields);
    String kind = fields.choice("sourceKind", "ClusterQueue", "LocalQueue", "Cohort", WORKLOAD);
    countKind(fields, kind);
    String label = fields.text("sourceLabelKey", "");
    String annotation = fields.text("sourceAnnotationKey", "");
    if (!label.isEmpty() && !annotation.isEmpty()) {
      fields.problem(INVALID, "sourceAnnotationKey", "set beside sourceLabelKey (expected: one)");
    }
    String key = label.isEmpty() ? (annotation.isEmpty() ? name : annotation) : label;
    for (String problem : LabelKey.problems(key)) {
      fields.problem(
          INVALID,
          annotation.isEmpty() ? "sourceLabelKey" : "sourceAnnotationKey",
          "\"" + key + "\" " + problem);
    }
    List<String> values = values(fields, kind);
    fields.end();
    return Optional.of(new CustomLabel(name, kind, key, !annotation.isEmpty(), values));
  }

  private String name(Fields fields) {
    String name = fields.text("name", "");
    if (!NAME.matcher(name).matches()) {
      fields.problem(
          INVALID,
          "name",
          Fields.wrong("\"" + name + "\"", "a letter, then letters, digits and '_'"));
    } else if (!names.add(name)) {
      fields.problem(DUPLICATE, "name", "\"" + name + "\" is there twice (expected: once)");
    }
    return name;
  }

  private void countKind(Fields fields, String kind) {
    int most = kind.equals(WORKLOAD) ? 2 : 6;
    int count = perKind.merge(kind, 1, Integer::sum);
    if (count == most + 1) {
      fields.problem(
          TOO_MANY,
          "sourceKind",
          "another label from " + kind + " (expected: at most " + most + ")");
    }
  }

  private static List<String> values(Fields fields, String kind) {
    List<String> values = fields.texts("trackedValues");
    int most = kind.equals(WORKLOAD) ? 12 : 16;
    if (values.isEmpty() && kind.equals(WORKLOAD)) {
      fields.problem(REQUIRED, "trackedValues", "[] (expected: 1 to 12 for Workload)");
    } else if (values.size() > most) {
      fields.problem(
          TOO_MANY,
          "trackedValues",
          Fields.wrong(values.size() + " values", "at most " + most + " for " + kind));
    }
    return values;
  }
}
