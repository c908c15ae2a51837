package dev.sluice.scheduler.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.admission.NameSource;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.lifecycle.store.ObjectLookup;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Times how long pods of admitted Workloads are still held back. Thread-safe. */
final class GateMetrics {
  private static final NameSource GROUP = new NameSource(Labels.POD_GROUP_NAME, true, false);
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();
  private static final MetricDefinition REMOVAL =
      MetricDefinition.times(
          "kueue_pod_scheduling_gate_removal_seconds",
          "From the admission of the Workload to a pod of it that a gate holds back no more",
          MetricDefinition.SHORT,
          "name",
          "cluster_queue",
          "is_group");

  private final Recorder recorder;
  private final ObjectLookup objects;
  private final InstantSource clock;

  GateMetrics(Recorder recorder, ObjectLookup objects, InstantSource clock) {
    this.recorder = recorder;
    this.objects = objects;
    this.clock = clock;
  }

  /** A pod has changed. */
  void seen(ObjectChange change) {
    if (change.before().isEmpty()
        || change.after().isEmpty()
        || change.before().get().at("/spec/schedulingGates").isEmpty()) {
      return;
    }
    JsonNode pod = change.after().get();
    Set<String> removed = ours(change.before().get());
    removed.removeAll(ours(pod));
    if (!removed.isEmpty()) {
      workload(pod).ifPresent(it -> removed(removed, pod, it));
    }
  }

  private static Set<String> ours(JsonNode pod) {
    Set<String> names = new TreeSet<>();
    for (JsonNode gate : pod.at("/spec/schedulingGates")) {
      String name = gate.path("name").asText();
      if (name.startsWith(Domains.KUEUE)) {
        names.add(name);
      }
    }
    return names;
  }

  private void removed(Set<String> gates, JsonNode pod, JsonNode workload) {
    Optional<Instant> admitted = ConditionTimes.since(workload, ConditionTypes.ADMITTED);
    if (admitted.isEmpty() || !Conditions.isTrue(workload, ConditionTypes.ADMITTED)) {
      return; // let go for another reason, as who is not managed any more
    }
    Duration time = Duration.between(admitted.get(), clock.instant());
    String queue = workload.at("/status/admission/clusterQueue").asText();
    String isGroup = String.valueOf(!group(pod).isEmpty());
    gates.forEach(gate -> recorder.time(REMOVAL, time, gate, queue, isGroup));
  }

  private static String group(JsonNode pod) {
    return GROUP.name(JobObject.of(pod));
  }

  /** The one that it names, that of its group, or the one made for it. */
  private Optional<JsonNode> workload(JsonNode pod) {
    String named = pod.at("/metadata/annotations").path(Annotations.WORKLOAD).asText();
    String name = named.isEmpty() ? group(pod) : named;
    if (!name.isEmpty()) {
      return objects.find(WORKLOAD, pod.at("/metadata/namespace").asText(), name);
    }
    List<JsonNode> own = objects.controlledBy(WORKLOAD, pod.at("/metadata/uid").asText());
    return own.stream().findFirst();
  }
}
