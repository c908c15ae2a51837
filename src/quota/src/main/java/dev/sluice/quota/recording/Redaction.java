package dev.sluice.quota.recording;

import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.core.LimitRange;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.core.Node;
import dev.sluice.api.core.Pod;
import dev.sluice.api.core.RuntimeClass;
import dev.sluice.api.device.DeviceClass;
import dev.sluice.api.device.ResourceClaimTemplate;
import dev.sluice.api.device.ResourceSlice;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.pod.PodTemplate;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.ClusterQueueStatus;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.queue.CohortStatus;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.queue.LocalQueueStatus;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetUpdate;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadSpec;
import dev.sluice.api.workload.WorkloadStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Takes out of an object what no decision reads, so that it is in no recording: annotations, labels
 * and finalizers but for those that the engine asks for, and the metadata of pod templates. The
 * records of the API have no environment, arguments, images or volumes to begin with.
 */
final class Redaction {
  private static final Predicate<String> OF_WORKLOADS =
      List.of(
              Annotations.ADMISSION_GATED_BY,
              Annotations.ALLOWED_RESOURCE_FLAVORS,
              Annotations.PRIORITY_BOOST,
              Annotations.WORKLOAD_SLICE_NAME,
              Annotations.WORKLOAD_SLICE_REPLACEMENT_FOR)
          ::contains;
  private static final Predicate<String> LABELS_OF_WORKLOADS =
      List.of(Labels.JOB_UID, Labels.CONCURRENT_ADMISSION_PARENT)::contains;

  private static final ClusterQueueStatus NO_QUEUE_STATUS =
      new ClusterQueueStatus(List.of(), List.of(), List.of(), null, null, null, null);

  private static final ObjectMeta NO_METADATA =
      new ObjectMeta(
          "", "", null, "", null, null, null, null, Map.of(), Map.of(), List.of(), List.of());

  private Redaction() {}

  private static boolean none(@SuppressWarnings("unused") String key) {
    return false;
  }

  private static boolean all(@SuppressWarnings("unused") String key) {
    return true;
  }

  /** The same object with only what decisions read. */
  static Object of(Object object) {
    return switch (object) {
      case Workload it -> workload(it);
      case Pod it ->
          new Pod(meta(it.metadata(), Redaction::ofPods, Redaction::none), it.spec(), it.status());
      case Node it ->
          new Node(meta(it.metadata(), Redaction::none, Redaction::all), it.spec(), it.status());
      case Namespace it -> new Namespace(meta(it.metadata(), Redaction::none, Redaction::all));
      case ClusterQueue it -> new ClusterQueue(bare(it.metadata()), it.spec(), NO_QUEUE_STATUS);
      case Cohort it -> new Cohort(bare(it.metadata()), it.spec(), new CohortStatus(null));
      case LocalQueue it -> new LocalQueue(bare(it.metadata()), it.spec(), usageAlone(it.status()));
      case ResourceFlavor it -> new ResourceFlavor(bare(it.metadata()), it.spec());
      case AdmissionCheck it -> new AdmissionCheck(bare(it.metadata()), it.spec(), it.status());
      case Topology it -> new Topology(bare(it.metadata()), it.spec());
      case LimitRange it -> new LimitRange(bare(it.metadata()), it.spec());
      case RuntimeClass it -> new RuntimeClass(bare(it.metadata()), it.overhead());
      case ResourceClaimTemplate it -> new ResourceClaimTemplate(bare(it.metadata()), it.spec());
      case DeviceClass it -> new DeviceClass(bare(it.metadata()), it.spec());
      case ResourceSlice it -> new ResourceSlice(bare(it.metadata()), it.spec());
      default ->
          throw new IllegalArgumentException(
              object.getClass() + " (expected: an object of a kind that the engine follows)");
    };
  }

  private static boolean ofPods(String annotation) {
    return annotation.startsWith(Annotations.POD_SET_PREFIX)
        || annotation.equals(Annotations.WORKLOAD)
        || annotation.equals(Annotations.WORKLOAD_SLICE_NAME);
  }

  /** Numbers in the status of a queue are what the engine knows better. */
  private static LocalQueueStatus usageAlone(LocalQueueStatus status) {
    return new LocalQueueStatus(
        List.of(), null, null, null, List.of(), List.of(), status.fairSharing());
  }

  /** The engine compares resourceVersions of Workloads alone. */
  private static ObjectMeta bare(ObjectMeta meta) {
    return meta(meta, Redaction::none, Redaction::none).toBuilder().resourceVersion(null).build();
  }

  private static ObjectMeta meta(
      ObjectMeta meta, Predicate<String> annotations, Predicate<String> labels) {
    return meta.toBuilder()
        .generateName(null)
        .annotations(only(meta.annotations(), annotations))
        .labels(only(meta.labels(), labels))
        .finalizers(List.of())
        .build();
  }

  private static Map<String, String> only(Map<String, String> all, Predicate<String> which) {
    if (all.isEmpty()) {
      return all;
    }
    Map<String, String> some = new LinkedHashMap<>();
    all.forEach(
        (key, value) -> {
          if (which.test(key)) {
            some.put(key, value);
          }
        });
    return some.size() == all.size() ? all : some;
  }

  private static Workload workload(Workload workload) {
    return new Workload(
        meta(workload.metadata(), OF_WORKLOADS, LABELS_OF_WORKLOADS),
        spec(workload.spec()),
        status(workload.status()));
  }

  private static WorkloadSpec spec(WorkloadSpec spec) {
    List<PodSet> podSets = new ArrayList<>(spec.podSets().size());
    for (PodSet podSet : spec.podSets()) {
      podSets.add(podSet.with(new PodTemplate(NO_METADATA, podSet.template().spec())));
    }
    return spec.with(podSets);
  }

  private static WorkloadStatus status(WorkloadStatus status) {
    if (status.admissionChecks().stream().allMatch(it -> it.podSetUpdates().isEmpty())) {
      return status;
    }
    List<AdmissionCheckState> checks = new ArrayList<>();
    for (AdmissionCheckState check : status.admissionChecks()) {
      checks.add(
          new AdmissionCheckState(
              check.name(),
              check.state(),
              check.lastTransitionTime(),
              check.message(),
              check.requeueAfterSeconds(),
              check.retryCount(),
              check.podSetUpdates().stream().map(Redaction::update).toList()));
    }
    return status.toBuilder().admissionChecks(checks).build();
  }

  private static PodSetUpdate update(PodSetUpdate update) {
    return new PodSetUpdate(
        update.name(), Map.of(), Map.of(), update.nodeSelector(), update.tolerations());
  }
}
