package dev.sluice.jobs.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.Messages;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Finalizers;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.vocabulary.SchedulingGates;
import dev.sluice.jobs.admission.NameSource;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.PodSetTopology;
import dev.sluice.jobs.workload.WorkloadFinalizer;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Instant;
import java.util.Optional;

/** Reads and changes Pods. */
public final class Pods {
  public static final GroupVersionKind KIND = Framework.POD.type();
  public static final String REPORTER = "pod-kueue-controller";

  static final String TERMINATION_TARGET = "TerminationTarget";
  static final String DISRUPTION_TARGET = "DisruptionTarget";

  private Pods() {}

  /** The group that a Pod names; empty for none. */
  public static String group(JsonNode pod, JobSettings settings) {
    boolean annotations = settings.isOn(FeatureGate.WORKLOAD_IDENTIFIER_ANNOTATIONS);
    return new NameSource(Labels.POD_GROUP_NAME, annotations, false).name(JobObject.of(pod));
  }

  /** Whether the Pod is ours, with Pods managed for their own sake or for that of others only. */
  public static boolean isManaged(JsonNode pod, JobSettings settings) {
    JobObject meta = JobObject.of(pod);
    boolean isOn = settings.management().frameworks().contains(Framework.POD);
    return meta.labelText(Labels.MANAGED).equals("true") && (isOn || hasParent(meta));
  }

  /** Whether it is queued through an owner. */
  public static boolean hasParent(JobObject pod) {
    return !pod.annotationText(Annotations.POD_SUSPENDING_PARENT).isEmpty();
  }

  public static boolean isGated(JsonNode pod) {
    return Injection.hasGate(pod.path("spec"), SchedulingGates.ADMISSION);
  }

  public static String phase(JsonNode pod) {
    return pod.path("status").path("phase").asText();
  }

  public static boolean isTerminal(JsonNode pod) {
    return phase(pod).equals("Succeeded") || phase(pod).equals("Failed");
  }

  public static boolean isDeleting(JsonNode pod) {
    return pod.path("metadata").path("deletionTimestamp").isTextual();
  }

  public static boolean hasFinalizer(JsonNode pod) {
    return WorkloadView.items(pod.path("metadata").path("finalizers")).stream()
        .anyMatch(it -> it.asText().equals(Finalizers.MANAGED));
  }

  /** Whether it is bound to a node. */
  static boolean isScheduled(JsonNode pod) {
    return !pod.path("spec").path("nodeName").asText("").isEmpty();
  }

  /**
   * The template of a Pod in a Workload: its spec; labels and annotations do not matter for queues.
   */
  static ObjectNode template(JsonNode pod) {
    ObjectNode template = Patches.object();
    template.putObject("metadata");
    template.set("spec", PodSetShape.podSpec(pod.path("spec")));
    return template;
  }

  /** The topology request of a Pod. */
  static ObjectNode topology(JsonNode pod) {
    return PodSetTopology.request(
        pod.path("metadata").path("annotations"), Labels.POD_GROUP_POD_INDEX);
  }

  /**
   * Ungates a waiting Pod.
   *
   * @return why that can never work
   */
  static Optional<String> start(JsonNode pod, Injection injection, String message, Writes writes) {
    ObjectNode started = pod.deepCopy();
    Optional<String> problem = injection.into(started);
    if (problem.isEmpty()) {
      ObjectNode spec = Patches.child(started, "spec");
      Injection.removeGate(spec, SchedulingGates.ADMISSION);
      if (!injection.holdsForTopology()) {
        Injection.removeGate(spec, SchedulingGates.TOPOLOGY);
      }
      writes.patch(KIND, pod, Patches.between(pod, started));
      writes.event(KIND, pod, EventReasons.STARTED, message);
    }
    return problem;
  }

  /**
   * Deletes an ungated Pod, after writing the reason into its status. A gated Pod stays, unless all
   * Pods are to be deleted.
   */
  static void stop(JsonNode pod, Job.Stop why, Instant now, Writes writes) {
    if (isDeleting(pod) || isTerminal(pod) || (isGated(pod) && !why.isForGood())) {
      return;
    }
    if (!isGated(pod) && !isStopped(pod)) {
      writes.applyStatus(KIND, pod, termination(why, now));
    }
    writes.delete(KIND, pod);
    writes.event(KIND, pod, EventReasons.STOPPED, why.message());
  }

  /** Whether its queue stopped the Pod. */
  static boolean isStopped(JsonNode pod) {
    return Conditions.isTrue(pod, TERMINATION_TARGET);
  }

  /** Whether its queue stopped the Pod, or the cluster ends it, for example with its node. */
  static boolean isEndedByTheCluster(JsonNode pod) {
    return isStopped(pod) || Conditions.isTrue(pod, DISRUPTION_TARGET);
  }

  private static ObjectNode termination(Job.Stop why, Instant now) {
    ObjectNode status = Patches.object();
    status
        .putArray("conditions")
        .addObject()
        .put("type", TERMINATION_TARGET)
        .put("status", "True")
        .put("reason", why.reason())
        .put("message", Messages.cut(why.message()))
        .put("lastTransitionTime", now.toString());
    return status;
  }

  /** Takes our finalizer from a Pod that has it. */
  public static void release(JsonNode pod, Writes writes) {
    WorkloadFinalizer.release(KIND, pod, Finalizers.MANAGED, writes);
  }
}
