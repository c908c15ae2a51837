package dev.sluice.webhook.rules.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.SameValue;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.settings.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How a Workload may change: what quota was reserved for stays as it was. */
final class WorkloadChange {
  private final WorkloadView old;
  private final WorkloadView now;
  private final Settings settings;
  private final ValidationResult findings;

  private WorkloadChange(Field old, RuleInput input, ValidationResult findings) {
    this.old = new WorkloadView(old);
    this.now = new WorkloadView(input.root());
    this.settings = input.world().settings();
    this.findings = findings;
  }

  static void check(Field old, RuleInput input, ValidationResult findings) {
    var change = new WorkloadChange(old, input, findings);
    if (change.old.isReserved()) {
      change.checkPodSets();
    }
    change.checkAdmission();
    change.checkUpdates();
    change.checkCluster();
    if (input.request().subresource().isEmpty()) {
      change.checkPreemptionGates();
    }
  }

  /**
   * An annotation of a conversion becomes these gates, so that a PUT of the object at v1beta1 could
   * change what only the subresource may. One without the annotation loses them.
   */
  private void checkPreemptionGates() {
    Field after = now.status().child("preemptionGates");
    if (after.isPresent()
        && !SameValue.of(old.status().child("preemptionGates").node(), after.node())) {
      findings.add(FieldError.immutable(after, "only the status subresource can change it"));
    }
  }

  private void checkPodSets() {
    Field list = now.podSetList();
    int before = old.podSetList().node().size();
    if (list.node().size() != before) {
      findings.add(
          FieldError.immutable(
              list, "quota is reserved for the %d pod sets it had".formatted(before)));
      return;
    }
    List<Field> olds = old.podSets();
    for (int i = 0; i < olds.size(); i++) {
      // clients know this place by a dot and the index
      var podSet = new Field(list.path() + "." + i, list.node().path(i));
      if (!isSamePodSet(olds.get(i), podSet)) {
        findings.add(FieldError.immutable(podSet, "quota is reserved for the pod set as it was"));
      }
    }
  }

  private boolean isSamePodSet(Field before, Field after) {
    boolean shrinks =
        settings.isOn(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES)
            && WorkloadView.count(after) < WorkloadView.count(before);
    JsonNode one = without(before.node(), shrinks ? List.of("count") : List.of());
    JsonNode other = without(after.node(), shrinks ? List.of("count") : List.of());
    return SameValue.of(one, other);
  }

  private static JsonNode without(JsonNode node, List<String> members) {
    if (members.isEmpty() || !node.isObject()) {
      return node;
    }
    ObjectNode copy = ((ObjectNode) node).objectNode();
    node.properties().forEach(it -> copy.set(it.getKey(), it.getValue()));
    return copy.remove(members);
  }

  private void checkAdmission() {
    Field before = old.admission();
    Field after = now.admission();
    if (before.isPresent()
        && after.isPresent()
        && !SameValue.of(before.node(), after.node())
        && !isSameButForPlacement(before, after)) {
      findings.add(
          FieldError.immutable(
              after, "clear it first, which gives the quota back, then reserve anew"));
    }
  }

  /** Placing pods on nodes is a step of its own, and may be done again. */
  private boolean isSameButForPlacement(Field before, Field after) {
    return settings.isOn(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)
        && SameValue.of(unplaced(before.node()), unplaced(after.node()));
  }

  private static JsonNode unplaced(JsonNode admission) {
    JsonNode rest = without(admission, List.of("podSetAssignments"));
    if (rest instanceof ObjectNode object) {
      var assignments = object.putArray("podSetAssignments");
      for (JsonNode assignment : admission.path("podSetAssignments")) {
        assignments.add(
            without(assignment, List.of("topologyAssignment", "delayedTopologyRequest")));
      }
    }
    return rest;
  }

  private void checkUpdates() {
    if (CheckUpdates.list(old).node().equals(CheckUpdates.list(now).node())) {
      return;
    }
    Map<String, Field> checks = new HashMap<>();
    CheckUpdates.checks(now).forEach(it -> checks.put(WorkloadView.name(it), it));
    for (Field before : CheckUpdates.checks(old)) {
      Field after = checks.get(WorkloadView.name(before));
      if (after != null && isReady(before) && isReady(after)) {
        Field updates = CheckUpdates.updates(after);
        if (!SameValue.of(CheckUpdates.updates(before).node(), updates.node())) {
          // clients know this place by the index that the check had before
          findings.add(
              FieldError.immutable(
                  new Field(CheckUpdates.updates(before).path(), updates.node()),
                  "pods may have been started with it while the check is Ready"));
        }
      }
    }
  }

  private static boolean isReady(Field check) {
    return check.child("state").text().orElse("").equals("Ready");
  }

  private void checkCluster() {
    Field after = now.status().child("clusterName");
    String name = after.text().orElse("");
    boolean replaces =
        settings.isOn(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES)
            && now.replacementAnnotation().isPresent();
    boolean wasSet = !old.status().child("clusterName").text().orElse("").isEmpty();
    if (name.isEmpty() || wasSet || replaces) {
      return;
    }
    Field nominated = old.status().child("nominatedClusterNames");
    boolean isNominated =
        nominated.items(WorkloadView.MAX_ITEMS).stream()
            .anyMatch(it -> it.text().orElse("").equals(name));
    if (!isNominated) {
      findings.add(
          FieldError.invalid(after, "must be one of the nominatedClusterNames before this update"));
    }
  }
}
