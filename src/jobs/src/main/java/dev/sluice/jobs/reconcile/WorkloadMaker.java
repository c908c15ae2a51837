package dev.sluice.jobs.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.names.LabelValue;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.api.vocabulary.Finalizers;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.WorkloadName;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.Priority;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;

/** Makes the Workloads of jobs. */
public final class WorkloadMaker {

  private final JobSettings settings;

  public WorkloadMaker(JobSettings settings) {
    this.settings = settings;
  }

  /** A Workload without owner, labels or finalizer. */
  public ObjectNode bare(String namespace, String name, ObjectNode spec) {
    ObjectNode workload = Patches.object();
    workload.put("apiVersion", WorkloadView.TYPE.apiVersion());
    workload.put("kind", WorkloadView.TYPE.kind());
    workload.putObject("metadata").put("namespace", namespace).put("name", name);
    workload.set("spec", spec);
    return workload;
  }

  /** The name of the Workload of a job; an elastic job gets another one each time it grows. */
  String name(Job job) {
    GroupKind kind = job.kind().groupKind();
    return WorkloadName.of(
            kind.kind(),
            kind.group(),
            job.meta(),
            settings.isOn(FeatureGate.SHORT_WORKLOAD_NAMES),
            Slices.areFor(job, settings) ? List.of(size(job)) : List.of())
        .getFirst();
  }

  private static String size(Job job) {
    String generation = job.tree().at("/metadata/generation").asText();
    String revision = job.traits().sizeRevision();
    return revision.isEmpty() ? generation : generation + "_" + revision;
  }

  /** The Workload of a job that is one object; the first of several, if it may grow. */
  ObjectNode of(Job job, String name, ObjectNode spec) {
    JobObject meta = job.meta();
    ObjectNode workload = bare(job.tree().path("metadata").path("namespace").asText(), name, spec);
    describe(workload, meta);
    ObjectNode metadata = Patches.child(workload, "metadata");
    label(workload, meta.uid());
    job.traits()
        .workloadAnnotations()
        .forEach((key, value) -> Patches.child(metadata, "annotations").put(key, value));
    if (Slices.areFor(job, settings)) {
      Patches.child(metadata, "annotations")
          .put(Annotations.ELASTIC_JOB, "true") // the rules for Workloads ask for it
          .put(Annotations.WORKLOAD_SLICE_NAME, name);
    }
    metadata.putArray("finalizers").add(Finalizers.RESOURCE_IN_USE);
    metadata.putArray("ownerReferences").add(controller(job.kind(), job.tree()));
    return workload;
  }

  /**
   * The Pod sets as a Workload has them: without least numbers of Pods where these do not count. An
   * elastic Workload may not have one: its job can be scaled instead.
   */
  static List<PodSetShape> shapes(JobObject job, List<PodSetShape> podSets, JobSettings settings) {
    boolean isElastic =
        settings.isOn(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES) && job.asksToBeElastic();
    return settings.isOn(FeatureGate.PARTIAL_ADMISSION) && !isElastic
        ? podSets
        : podSets.stream().map(PodSetShape::withoutMinimum).toList();
  }

  /** What the job asks for. */
  public ObjectNode spec(JobObject job, List<PodSetShape> podSets, Priority priority) {
    ObjectNode spec = Patches.object();
    ArrayNode list = spec.putArray("podSets");
    shapes(job, podSets, settings).forEach(it -> list.add(it.tree()));
    if (!job.queueName().isEmpty()) {
      spec.put("queueName", job.queueName());
    }
    priority.into(spec);
    Equivalence.maxSeconds(job).ifPresent(it -> spec.put("maximumExecutionTimeSeconds", it));
    return spec;
  }

  /** Copies the labels and annotations that a Workload takes over from its job. */
  public void describe(ObjectNode workload, JobObject job) {
    ObjectNode metadata = Patches.child(workload, "metadata");
    for (String key : settings.management().labelKeysToCopy()) {
      job.label(key).text().ifPresent(it -> Patches.child(metadata, "labels").put(key, it));
    }
    FollowedMetadata.copy(job, workload, settings);
    for (var annotation : job.metadata().child("annotations").node().properties()) {
      String key = annotation.getKey();
      if (key.startsWith(Domains.PROVISIONING_REQUEST)) {
        Patches.child(metadata, "annotations").set(key, annotation.getValue());
      }
    }
  }

  /** Says which job a Workload is for, if the uid may be a label. */
  public static void label(ObjectNode workload, String uid) {
    if (!uid.isEmpty() && LabelValue.problems(uid).isEmpty()) {
      Patches.child(Patches.child(workload, "metadata"), "labels").put(Labels.JOB_UID, uid);
    }
  }

  /** The reference to an owner that controls. */
  static ObjectNode controller(GroupVersionKind kind, JsonNode owner) {
    return owner(kind, owner).put("controller", true).put("blockOwnerDeletion", true);
  }

  /** The reference to one of several owners. */
  public static ObjectNode owner(GroupVersionKind kind, JsonNode owner) {
    JsonNode metadata = owner.path("metadata");
    return Patches.object()
        .put("apiVersion", kind.apiVersion())
        .put("kind", kind.kind())
        .put("name", metadata.path("name").asText())
        .put("uid", metadata.path("uid").asText());
  }
}
