package dev.sluice.jobs.injection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.SchedulingGates;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the Pods of one set get when they start.
 *
 * @param podSet the name of the set
 * @param count how many may run
 * @param mayBeFewer whether that may be less than the set asks for
 * @param done how many more the set has: they were done before the others were admitted
 * @param tolerations each once
 * @param holdsForTopology whether they wait for a place after they were admitted
 */
public record Injection(
    String podSet,
    int count,
    boolean mayBeFewer,
    int done,
    Map<String, String> labels,
    Map<String, String> annotations,
    Map<String, String> nodeSelector,
    List<JsonNode> tolerations,
    boolean holdsForTopology) {
  /** What the Pods of a job had from the Workload that they ran with before. */
  private static final Set<String> OF_SLICES =
      Set.of(Annotations.WORKLOAD_SLICE_NAME, Annotations.WORKLOAD);

  private static final String GATES = "schedulingGates";

  public Injection {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
    nodeSelector = Collections.unmodifiableMap(new LinkedHashMap<>(nodeSelector));
    tolerations = List.copyOf(tolerations);
  }

  /**
   * Writes it into a template, or into a Pod.
   *
   * @param template that has metadata and spec; changed
   * @return why it cannot be written; the template is then unusable
   */
  public Optional<String> into(ObjectNode template) {
    ObjectNode metadata = Patches.child(template, "metadata");
    ObjectNode spec = Patches.child(template, "spec");
    List<String> problems = new ArrayList<>();
    put(labels, metadata, "labels", problems);
    put(annotations, metadata, "annotations", problems);
    put(nodeSelector, spec, "nodeSelector", problems);
    addTolerations(spec);
    if (holdsForTopology) {
      addGate(spec, SchedulingGates.TOPOLOGY);
    }
    if (isOfSlice()) {
      addGate(spec, SchedulingGates.ELASTIC_JOB);
    }
    return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems));
  }

  /** Whether the Pods wait until a Workload of their job has quota for as many. */
  public boolean isOfSlice() {
    return annotations.containsKey(Annotations.WORKLOAD_SLICE_NAME);
  }

  private void put(
      Map<String, String> from, ObjectNode parent, String member, List<String> problems) {
    if (from.isEmpty()) {
      return;
    }
    ObjectNode map = Patches.child(parent, member);
    from.forEach(
        (key, value) -> {
          JsonNode there = map.path(key);
          boolean mayChange = isOfSlice() && OF_SLICES.contains(key);
          if (there.isMissingNode() || mayChange || there.asText().equals(value)) {
            map.put(key, value);
          } else {
            problems.add(
                "Pod set %s: %s[%s] is %s already and cannot become %s"
                    .formatted(podSet, member, key, there.asText(), value));
          }
        });
  }

  private void addTolerations(ObjectNode spec) {
    if (tolerations.isEmpty()) {
      return;
    }
    ArrayNode list = Patches.list(spec, "tolerations");
    for (JsonNode toleration : tolerations) {
      if (WorkloadView.items(list).stream().noneMatch(toleration::equals)) {
        list.add(toleration);
      }
    }
  }

  /** Adds a scheduling gate to a Pod's spec unless it is there. */
  static void addGate(ObjectNode spec, String name) {
    ArrayNode gates = Patches.list(spec, GATES);
    if (WorkloadView.items(gates).stream().noneMatch(it -> isGate(it, name))) {
      gates.addObject().put("name", name);
    }
  }

  /** Takes a scheduling gate from a Pod's spec. */
  public static void removeGate(ObjectNode spec, String name) {
    if (spec.path(GATES) instanceof ArrayNode gates) {
      gates.removeIf(it -> isGate(it, name));
      if (gates.isEmpty()) {
        spec.remove(GATES);
      }
    }
  }

  /** Whether a Pod's spec has that scheduling gate. */
  public static boolean hasGate(JsonNode spec, String name) {
    return WorkloadView.items(spec.path(GATES)).stream().anyMatch(it -> isGate(it, name));
  }

  private static boolean isGate(JsonNode gate, String name) {
    return gate.path("name").asText().equals(name);
  }
}
