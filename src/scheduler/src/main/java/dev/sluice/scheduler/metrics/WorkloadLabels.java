package dev.sluice.scheduler.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Manager.CustomLabel;
import dev.sluice.api.meta.ObjectMeta;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The labels of metrics whose values come from the Workloads that are counted. Their series have
 * these values after all others. Immutable.
 */
final class WorkloadLabels {
  private final List<CustomLabel> wanted;

  /** Those of these labels that have Workloads as their source. */
  WorkloadLabels(List<CustomLabel> all) {
    this.wanted = all.stream().filter(it -> it.sourceKind().equals(CustomLabel.WORKLOAD)).toList();
  }

  /** The names in the metrics. */
  List<String> names() {
    return wanted.stream().map(CustomLabels::name).toList();
  }

  /** The values where no Workload is counted. */
  List<String> none() {
    return Collections.nCopies(wanted.size(), "");
  }

  /** The values of that Workload. */
  List<String> of(ObjectMeta workload) {
    return wanted.isEmpty()
        ? List.of()
        : wanted.stream()
            .map(
                it ->
                    value(
                        it,
                        (it.fromAnnotation() ? workload.annotations() : workload.labels())
                            .get(it.key())))
            .toList();
  }

  /** The same of a Workload as it is stored. */
  List<String> of(JsonNode workload) {
    return wanted.stream().map(it -> CustomLabels.value(it, workload)).toList();
  }

  private static String value(CustomLabel label, @Nullable String value) {
    return CustomLabels.tracked(label, value == null ? "" : value);
  }
}
