package dev.sluice.api.workload;

import dev.sluice.api.flavor.Toleration;
import dev.sluice.api.meta.Copies;
import java.util.List;
import java.util.Map;

/** What a check adds to the pods of a set before they start. */
public record PodSetUpdate(
    String name,
    Map<String, String> labels,
    Map<String, String> annotations,
    Map<String, String> nodeSelector,
    List<Toleration> tolerations) {
  public PodSetUpdate {
    labels = Copies.of(labels);
    annotations = Copies.of(annotations);
    nodeSelector = Copies.of(nodeSelector);
    tolerations = List.copyOf(tolerations);
  }
}
