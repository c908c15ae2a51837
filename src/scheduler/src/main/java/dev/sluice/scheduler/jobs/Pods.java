package dev.sluice.scheduler.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Framework;
import dev.sluice.webhook.rules.jobs.JobObject;
import dev.sluice.webhook.rules.jobs.Keys;
import dev.sluice.webhook.rules.jobs.NameSource;

/** What Pods say of themselves. */
final class Pods {
  static final GroupVersionKind KIND = Framework.POD.type();
  static final String REPORTER = "pod-kueue-controller";

  private Pods() {}

  /** The group that a Pod names; empty for none. */
  static String group(JsonNode pod, JobSettings settings) {
    boolean annotations = settings.isOn(FeatureGate.WORKLOAD_IDENTIFIER_ANNOTATIONS);
    return new NameSource(Keys.POD_GROUP_NAME, annotations, false).name(JobObject.of(pod));
  }

  /** Whether the Pod is ours, with Pods managed for their own sake or for that of others only. */
  static boolean isManaged(JsonNode pod, JobSettings settings) {
    JobObject meta = JobObject.of(pod);
    boolean isOn = settings.management().frameworks().contains(Framework.POD);
    return meta.labelText(Keys.MANAGED).equals("true") && (isOn || hasParent(meta));
  }

  /** Whether an owner has it queued. */
  static boolean hasParent(JobObject pod) {
    return !pod.annotationText(Keys.SUSPENDING_PARENT).isEmpty();
  }

  static boolean isGated(JsonNode pod) {
    return Injection.hasGate(pod.path("spec"), Keys.ADMISSION_GATE);
  }

  static String phase(JsonNode pod) {
    return pod.path("status").path("phase").asText();
  }

  static boolean isTerminal(JsonNode pod) {
    return phase(pod).equals("Succeeded") || phase(pod).equals("Failed");
  }

  static boolean isDeleting(JsonNode pod) {
    return pod.path("metadata").path("deletionTimestamp").isTextual();
  }

  static boolean hasFinalizer(JsonNode pod) {
    return WorkloadFacts.items(pod.path("metadata").path("finalizers")).stream()
        .anyMatch(it -> it.asText().equals(Keys.MANAGED));
  }

  /** Takes our finalizer from a Pod that has it. */
  static void release(JsonNode pod, Writes writes) {
    Orphans.release(KIND, pod, Keys.MANAGED, writes);
  }
}
