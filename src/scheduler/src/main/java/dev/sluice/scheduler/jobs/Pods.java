package dev.sluice.scheduler.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.FeatureGate;

/** What Pods say of themselves. */
final class Pods {
  private static final String GROUP = "kueue.x-k8s.io/pod-group-name";

  private Pods() {}

  /** The group that a Pod names: by annotation, or else by label; empty for none. */
  static String group(JsonNode pod, JobSettings settings) {
    JsonNode metadata = pod.path("metadata");
    String annotation = metadata.path("annotations").path(GROUP).asText("");
    boolean counts = settings.isOn(FeatureGate.WORKLOAD_IDENTIFIER_ANNOTATIONS);
    return counts && !annotation.isEmpty()
        ? annotation
        : metadata.path("labels").path(GROUP).asText("");
  }
}
