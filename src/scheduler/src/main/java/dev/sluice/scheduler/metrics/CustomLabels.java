package dev.sluice.scheduler.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.configuration.Manager.CustomLabel;
import dev.sluice.api.meta.ObjectKey;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The labels of a series: those of its definition, and those that an operator takes from the queue
 * or Cohort that the series is about, as the object is at the moment of the scrape.
 */
final class CustomLabels {
  private static final String PREFIX = "custom_";
  private static final String UNTRACKED = "other";

  private final List<CustomLabel> wanted;
  private final WorkloadLabels workloads;
  private final BiFunction<ApiKind, ObjectKey, Optional<JsonNode>> objects;

  /**
   * Adds these labels.
   *
   * @param objects the object of that kind and name
   */
  CustomLabels(
      List<CustomLabel> wanted, BiFunction<ApiKind, ObjectKey, Optional<JsonNode>> objects) {
    this.wanted = List.copyOf(wanted);
    this.objects = objects;
    this.workloads = new WorkloadLabels(wanted);
  }

  /** Those whose values the series themselves have. */
  WorkloadLabels workloads() {
    return workloads;
  }

  /** How a label is named in the metrics. */
  static String name(CustomLabel label) {
    return PREFIX + label.name();
  }

  Labels of(MetricDefinition definition, List<String> values) {
    Optional<Existing.Subject> subject =
        wanted.isEmpty() ? Optional.empty() : subject(definition, values);
    List<String> names = new ArrayList<>(definition.labels());
    if (values.size() > names.size()) {
      names.addAll(workloads.names());
    }
    if (subject.isEmpty()) {
      return Labels.of(names, values);
    }
    List<String> all = new ArrayList<>(values);
    ApiKind kind = subject.get().kind();
    Optional<JsonNode> object = objects.apply(kind, subject.get().key());
    for (CustomLabel label : wanted) {
      if (label.sourceKind().equals(kind.groupKind().kind())) {
        names.add(name(label));
        all.add(object.map(it -> value(label, it)).orElse(""));
      }
    }
    return Labels.of(names, all);
  }

  /** The object of the series: the LocalQueue if it names one, else the ClusterQueue. */
  private static Optional<Existing.Subject> subject(
      MetricDefinition definition, List<String> values) {
    return Existing.subjects(definition, values).stream().findFirst();
  }

  /** The value in the object. */
  static String value(CustomLabel label, JsonNode object) {
    String from = label.fromAnnotation() ? "annotations" : "labels";
    return tracked(label, object.path("metadata").path(from).path(label.key()).asText());
  }

  /** The value as shown in the metrics. */
  static String tracked(CustomLabel label, String value) {
    boolean tracked =
        value.isEmpty() || label.trackedValues().isEmpty() || label.trackedValues().contains(value);
    return tracked ? value : UNTRACKED;
  }
}
