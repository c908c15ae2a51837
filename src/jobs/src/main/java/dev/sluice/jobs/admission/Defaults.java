package dev.sluice.jobs.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.DefaultNames;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.vocabulary.SchedulingGates;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Paths;
import dev.sluice.rules.PatchRecorder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The steps of defaulting that kinds have in common. Each changes nothing when run again. */
public final class Defaults {
  private Defaults() {}

  /** The job with what was set so far. */
  public static JobObject job(PatchRecorder draft) {
    return new JobObject(draft.root());
  }

  /**
   * Sets the default LocalQueue, if there is one and jobs are managed, on a job without a managed
   * owner.
   */
  public static void queueName(JobReview review, PatchRecorder draft) {
    if (getsQueueName(review, job(draft))) {
      draft.label(Labels.QUEUE_NAME, DefaultNames.LOCAL_QUEUE);
    }
  }

  /** Whether the job has no queue and gets the default one. */
  public static boolean getsQueueName(JobReview review, JobObject job) {
    return job.queueName().isEmpty()
        && review.hasDefaultLocalQueue()
        && !review.isLedByManager(job)
        && review.isManagedNamespace(false);
  }

  /** Sets the default priority class, if there is one, on a managed job without a managed owner. */
  public static void priorityClass(JobReview review, PatchRecorder draft) {
    JobObject job = job(draft);
    if (review.isOn(FeatureGate.WORKLOAD_PRIORITY_CLASS_DEFAULTING)
        && job.labelText(Labels.PRIORITY_CLASS).isEmpty()
        && review.isManagedHere(job)
        && !review.isLedByManager(job)
        && review.hasDefaultPriorityClass()) {
      draft.label(Labels.PRIORITY_CLASS, DefaultNames.WORKLOAD_PRIORITY_CLASS);
    }
  }

  /** Suspends the job; no step resumes it. */
  public static void suspend(PatchRecorder draft, List<String> path) {
    draft.set(BooleanNode.TRUE, path.toArray(String[]::new));
  }

  /**
   * Names the MultiKueue controller if the queue sends jobs to other clusters.
   *
   * @param path the field that names the controller
   * @param ownName the name of the controller that the kind has at home
   */
  public static void managedBy(
      JobReview review, PatchRecorder draft, List<String> path, String ownName) {
    JobObject job = job(draft);
    String[] parts = path.toArray(String[]::new);
    JsonNode current = Paths.at(job.root(), path).node();
    boolean isFree =
        current.isMissingNode() || current.isNull() || current.asText().equals(ownName);
    if (isFree
        && review.isOn(FeatureGate.MULTI_KUEUE)
        && job.label(Labels.QUEUE_NAME).isPresent()
        && !review.isLeftAlone(job)
        && review.leadsToOtherClusters(job.queueName())) {
      draft.set(TextNode.valueOf(Controllers.MULTI_KUEUE), parts);
    }
  }

  /** The scheduling gate of elastic jobs in a Pod template, for an elastic job. */
  public static void elasticGate(JobReview review, PatchRecorder draft, String... template) {
    JobObject job = job(draft);
    if (review.isElastic(job) && !review.isLeftAlone(job)) {
      gate(draft, SchedulingGates.ELASTIC_JOB, template);
    }
  }

  /**
   * A scheduling gate, once.
   *
   * @param template the Pod or Pod template that gets it, which must be there
   */
  public static void gate(PatchRecorder draft, String gate, String... template) {
    JsonNode pod = Paths.at(draft.root(), List.of(template)).node();
    if (pod.isObject()
        && !hasItem(pod.at("/spec/schedulingGates"), it -> it.path("name").asText().equals(gate))) {
      ObjectNode item = JsonNodeFactory.instance.objectNode().put("name", gate);
      draft.append(item, Paths.join(template, "spec", "schedulingGates"));
    }
  }

  /** A finalizer, once. */
  public static void finalizer(PatchRecorder draft, String finalizer) {
    JsonNode finalizers = draft.root().child("metadata").child("finalizers").node();
    if (!hasItem(finalizers, it -> it.asText().equals(finalizer))) {
      draft.append(TextNode.valueOf(finalizer), "metadata", "finalizers");
    }
  }

  /** A label of a Pod template; nothing if there is no template, or no value. */
  public static void templateLabel(
      PatchRecorder draft, String key, String value, String... template) {
    templateMember(draft, "labels", key, value, template);
  }

  /** An annotation of a Pod template; nothing if there is no template, or no value. */
  public static void templateAnnotation(
      PatchRecorder draft, String key, String value, String... template) {
    templateMember(draft, "annotations", key, value, template);
  }

  private static void templateMember(
      PatchRecorder draft, String map, String key, String value, String... template) {
    if (!value.isEmpty() && Paths.at(draft.root(), List.of(template)).node().isObject()) {
      draft.set(TextNode.valueOf(value), Paths.join(template, "metadata", map, key));
    }
  }

  private static boolean hasItem(JsonNode list, Predicate<JsonNode> wanted) {
    List<JsonNode> items = new ArrayList<>();
    list.forEach(items::add);
    return items.stream().anyMatch(wanted);
  }
}
