package dev.sluice.scheduler.metrics;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Numbers that are so at the moment of a scrape; all of one role. For one thread. */
final class Rows {
  private final String role;
  private final CustomLabels custom;
  private final Map<MetricDefinition, List<GaugeDataPointSnapshot>> points = new LinkedHashMap<>();

  Rows(String role, CustomLabels custom) {
    this.role = role;
    this.custom = custom;
  }

  /** One more series; the values are those of the labels of the definition after the role. */
  void add(MetricDefinition definition, double value, String... values) {
    add(definition, value, List.of(), values);
  }

  /** The same with the values of labels that are taken from Workloads. */
  void add(MetricDefinition definition, double value, List<String> tags, String... values) {
    List<String> all = new ArrayList<>();
    if (values.length < definition.labels().size()) {
      all.add(role);
    }
    all.addAll(List.of(values));
    all.addAll(tags);
    Labels labels = custom.of(definition, all);
    points
        .computeIfAbsent(definition, _ -> new ArrayList<>())
        .add(new GaugeDataPointSnapshot(value, labels, null));
  }

  void tell(Consumer<MetricSnapshot> listener) {
    points.forEach(
        (definition, own) ->
            listener.accept(
                new GaugeSnapshot(new MetricMetadata(definition.name(), definition.help()), own)));
  }
}
