package dev.sluice.jobs.injection;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.names.DnsLabel;
import dev.sluice.api.names.LabelValue;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the Pods of an admitted Workload get: the node labels and tolerations of its flavors, what
 * its checks add, and labels by which to find them.
 *
 * @param list one per Pod set, in order; of no use if there is a problem or a flavor is missing
 * @param problem why the job can never start with what was assigned
 * @param missing a flavor that is not seen yet
 */
public record Injections(List<Injection> list, Optional<String> problem, Optional<String> missing) {
  public Injections {
    list = List.copyOf(list);
  }

  public static Injections of(WorkloadView workload, JobWorld world, JobSettings settings) {
    return new Maker(workload, world, settings).make();
  }

  private static final class Maker {
    private final WorkloadView workload;
    private final JobWorld world;
    private final JobSettings settings;
    private final List<String> problems = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();

    Maker(WorkloadView workload, JobWorld world, JobSettings settings) {
      this.workload = workload;
      this.world = world;
      this.settings = settings;
    }

    Injections make() {
      List<JsonNode> podSets = workload.podSets();
      List<JsonNode> assignments = workload.assignments();
      if (podSets.size() != assignments.size()) {
        problems.add(
            "%d Pod sets were assigned (expected: %d)"
                .formatted(assignments.size(), podSets.size()));
        return new Injections(List.of(), problems.stream().findFirst(), Optional.empty());
      }
      List<Injection> list = new ArrayList<>();
      for (int i = 0; i < podSets.size(); i++) {
        list.add(injection(podSets.get(i), assignments.get(i)));
      }
      return new Injections(list, problems.stream().findFirst(), missing.stream().findFirst());
    }

    private Injection injection(JsonNode podSet, JsonNode assignment) {
      String name = podSet.path("name").asText("main");
      Map<String, String> labels = labels(name);
      Map<String, String> annotations = annotations(podSet, assignment);
      Map<String, String> nodeSelector = new LinkedHashMap<>();
      Set<JsonNode> tolerations = new LinkedHashSet<>();
      for (JsonNode flavor : flavors(assignment)) {
        put(flavor.path("spec").path("nodeLabels"), nodeSelector, name);
        flavor.path("spec").path("tolerations").forEach(tolerations::add);
      }
      for (JsonNode check : workload.tree().path("status").path("admissionChecks")) {
        for (JsonNode update : check.path("podSetUpdates")) {
          if (update.path("name").asText().equals(name)) {
            put(update.path("labels"), labels, name);
            put(update.path("annotations"), annotations, name);
            put(update.path("nodeSelector"), nodeSelector, name);
            update.path("tolerations").forEach(tolerations::add);
          }
        }
      }
      int pods = podSet.path("count").asInt(1);
      int count = assignment.path("count").asInt(pods);
      return new Injection(
          name,
          count,
          podSet.has("minCount"),
          Math.max(0, pods - count),
          labels,
          annotations,
          nodeSelector,
          List.copyOf(tolerations),
          hasTopology(assignment));
    }

    private static boolean hasTopology(JsonNode assignment) {
      return assignment.path("topologyAssignment").isObject();
    }

    private List<JsonNode> flavors(JsonNode assignment) {
      Set<String> names = new LinkedHashSet<>();
      assignment.path("flavors").forEach(it -> names.add(it.asText()));
      List<JsonNode> flavors = new ArrayList<>();
      for (String name : names) {
        Optional<JsonNode> flavor = world.find(ApiKind.RESOURCE_FLAVOR.groupKind(), "", name);
        flavor.ifPresentOrElse(flavors::add, () -> missing.add(name));
      }
      return flavors;
    }

    private Map<String, String> labels(String podSet) {
      Map<String, String> labels = new LinkedHashMap<>();
      labels.put(Labels.POD_SET, podSet);
      if (settings.isOn(FeatureGate.ASSIGN_QUEUE_LABELS_FOR_PODS)) {
        if (LabelValue.problems(workload.queueName()).isEmpty()) {
          labels.put(Labels.LOCAL_QUEUE_NAME, workload.queueName());
        }
        if (DnsLabel.problems(workload.clusterQueue()).isEmpty()) {
          labels.put(Labels.CLUSTER_QUEUE_NAME, workload.clusterQueue());
        }
      }
      if (workload.meta().label(Labels.MULTI_KUEUE_ORIGIN).isPresent()) {
        labels.put(Labels.MULTI_KUEUE_WORKER_POD, "true");
      }
      return labels;
    }

    private Map<String, String> annotations(JsonNode podSet, JsonNode assignment) {
      Map<String, String> annotations = new LinkedHashMap<>();
      String slice = workload.meta().annotationText(Annotations.WORKLOAD_SLICE_NAME);
      if (!slice.isEmpty() && settings.isOn(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES)) {
        annotations.put(Annotations.WORKLOAD_SLICE_NAME, slice);
      }
      if (settings.isOn(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)) {
        annotations.put(Annotations.WORKLOAD, workload.name());
        JsonNode request = podSet.path("topologyRequest");
        boolean asks =
            request.has("required")
                || request.has("preferred")
                || request.has("unconstrained")
                || request.has("podSetSliceRequiredTopology")
                || request.has("podsetSliceRequiredTopologyConstraints");
        if (hasTopology(assignment) && !asks) {
          annotations.put(Annotations.UNCONSTRAINED_TOPOLOGY, "true");
        }
      }
      return annotations;
    }

    private void put(JsonNode from, Map<String, String> to, String podSet) {
      for (Map.Entry<String, JsonNode> entry : from.properties()) {
        String value = entry.getValue().asText();
        String before = to.putIfAbsent(entry.getKey(), value);
        if (before != null && !before.equals(value)) {
          problems.add(
              "Pod set %s: %s is to be %s and %s".formatted(podSet, entry.getKey(), before, value));
        }
      }
    }
  }
}
