package dev.sluice.jobs.ray;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.SchedulingGates;
import dev.sluice.jobs.admission.Defaults;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.SuspendableKind;
import dev.sluice.jobs.object.Paths;
import dev.sluice.jobs.topology.PodSet;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.ValidationResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The Ray cluster that a RayCluster is, and that a RayJob and a RayService have.
 *
 * @param spec the field, at the path where its faults are reported
 */
record RayClusterSpec(Field spec) {
  private static final int MAX_GROUPS = 512;
  private static final String HEAD = "head";

  Field head() {
    return spec.child("headGroupSpec");
  }

  Field groups() {
    return spec.child("workerGroupSpecs");
  }

  private List<Field> groupList() {
    return groups().items(MAX_GROUPS);
  }

  boolean scalesItself() {
    return Paths.isTrue(autoscaling());
  }

  Field autoscaling() {
    return spec.child("enableInTreeAutoscaling");
  }

  List<Field> templates() {
    return podSets().stream().map(PodSet::metadata).toList();
  }

  /** The head and each group of workers. */
  List<PodSet> podSets() {
    var all = new ArrayList<PodSet>();
    all.add(PodSet.of(HEAD, head().child("template"), 1));
    for (Field group : groupList()) {
      long hosts = Math.max(1, Paths.count(group.child("numOfHosts"), 1));
      long replicas = Paths.count(group.child("replicas"), 1);
      all.add(PodSet.of(name(group), group.child("template"), replicas * hosts));
    }
    return all;
  }

  private static String name(Field group) {
    return group.child("groupName").text().orElse("").toLowerCase(Locale.ROOT);
  }

  /** Puts the gate of elastic jobs into all templates. */
  static void setElasticGates(JobReview review, PatchRecorder draft, String... path) {
    Defaults.elasticGate(review, draft, Paths.join(path, "headGroupSpec", "template"));
    JsonNode groups = Paths.at(draft.root(), List.of(path)).child("workerGroupSpecs").node();
    for (int i = 0; i < Math.min(groups.size(), MAX_GROUPS); i++) {
      Defaults.elasticGate(
          review, draft, Paths.join(path, "workerGroupSpecs", String.valueOf(i), "template"));
    }
  }

  /** A cluster that scales itself must be elastic. */
  void checkScaling(boolean isElastic, ValidationResult findings) {
    if (scalesItself() && !isElastic) {
      findings.add(
          FieldError.invalid(
              autoscaling(),
              "must be false unless the annotation " + Annotations.ELASTIC_JOB + " is true"));
    }
  }

  /** All templates must hold back their Pods. */
  void checkGates(ValidationResult findings) {
    for (Field group : groupList()) {
      checkGate(group, findings);
    }
    checkGate(head(), findings);
  }

  private static void checkGate(Field group, ValidationResult findings) {
    Field gates = group.child("template").child("spec").child("schedulingGates");
    for (JsonNode gate : gates.node()) {
      if (gate.path("name").asText().equals(SchedulingGates.ELASTIC_JOB)) {
        return;
      }
    }
    findings.add(
        FieldError.invalid(
            gates, "must have the gate " + SchedulingGates.ELASTIC_JOB + ": the job is elastic"));
  }

  /** A Workload has 18 Pod sets at most, and that of the head has a name already. */
  void checkGroups(ValidationResult findings) {
    int count = groups().node().size() + 1;
    if (count > SuspendableKind.MAX_POD_SETS) {
      findings.add(
          new FieldError(
              FieldError.Type.TOO_MANY,
              groups().path(),
              IntNode.valueOf(count),
              "must have at most 17 groups: with the head they are " + count + " of 18 Pod sets"));
    }
    for (Field group : groupList()) {
      Field name = group.child("groupName");
      if (name.text().orElse("").equals(HEAD)) {
        findings.add(
            FieldError.forbidden(name, "must not be \"head\", which is the name of the head"));
      }
    }
  }

  /** Warns of groups whose names cannot be those of Pod sets. */
  void warnOfNames(Set<String> taken, ValidationResult findings) {
    Set<String> seen = new HashSet<>(taken);
    for (Field group : groupList()) {
      Field name = group.child("groupName");
      if (name.isPresent() && (!seen.add(name(group)) || !isLabel(name(group)))) {
        findings.warn(
            name.path()
                + ": makes no Pod set of its own, so the job will not be admitted; it must be a DNS"
                + " label that no other group has");
      }
    }
  }

  private static boolean isLabel(String name) {
    return dev.sluice.api.names.DnsLabel.problems(name).isEmpty();
  }
}
