package dev.sluice.webhook.rules.workload;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.metadata.AnnotationRules;
import dev.sluice.rules.metadata.LabelRules;
import dev.sluice.rules.settings.Settings;
import java.util.List;
import java.util.Map;

/** What the pod sets of a Workload must be beyond their schema. */
final class PodSetRules {
  private static final String PODS = "pods";

  private PodSetRules() {}

  static void check(Field root, Settings settings, ValidationResult findings) {
    var workload = new WorkloadView(root);
    for (Field podSet : workload.podSets()) {
      Field template = podSet.child("template");
      if (settings.isOn(FeatureGate.WORKLOAD_VALIDATION_FOR_POD_SET_METADATA)) {
        LabelRules.checkLabels(template.child("metadata").child("labels"), findings);
        AnnotationRules.check(template.child("metadata").child("annotations"), findings);
      }
      checkResources(template.child("spec"), settings, findings);
      if (settings.isOn(FeatureGate.TAS_VALIDATE_WORKLOAD_SLICE_SIZE)) {
        checkSlices(podSet.child("topologyRequest"), findings);
      }
    }
    checkMinCounts(workload, settings, findings);
  }

  private static void checkResources(Field pod, Settings settings, ValidationResult findings) {
    for (String list : List.of("initContainers", "containers")) {
      for (Field container : pod.child(list).items(Integer.MAX_VALUE)) {
        checkLists(container.child("resources"), settings, findings);
      }
    }
    checkLists(pod.child("resources"), settings, findings);
    pod.child("overhead").expectQuantities(findings);
  }

  private static void checkLists(Field resources, Settings settings, ValidationResult findings) {
    checkList(resources.child("requests"), settings, findings);
    checkList(resources.child("limits"), settings, findings);
  }

  private static void checkList(Field list, Settings settings, ValidationResult findings) {
    for (Map.Entry<String, ?> entry : list.node().properties()) {
      Field amount = list.key(entry.getKey());
      if (entry.getKey().equals(PODS)) {
        findings.add(
            FieldError.invalid(amount, "pods are counted by the count of the pod set, not here"));
      }
      boolean negative = amount.expectQuantity(findings).filter(it -> it.signum() < 0).isPresent();
      if (negative && settings.isOn(FeatureGate.WORKLOAD_VALIDATE_RESOURCES_ARE_NON_NEGATIVE)) {
        findings.add(FieldError.invalidQuantity(amount.path(), amount, "must not be less than 0"));
      }
    }
  }

  private static void checkSlices(Field request, ValidationResult findings) {
    Field topology = request.child("podSetSliceRequiredTopology");
    Field size = request.child("podSetSliceSize");
    if (topology.isPresent() && !size.isPresent()) {
      findings.add(
          FieldError.required(size, "podSetSliceRequiredTopology is set, so a slice needs a size"));
    } else if (!topology.isPresent() && size.isPresent()) {
      findings.add(
          FieldError.forbidden(
              size, "has a meaning only together with podSetSliceRequiredTopology"));
    } else {
      checkSize(size, findings);
    }
    for (Field layer :
        request.child("podsetSliceRequiredTopologyConstraints").items(WorkloadView.MAX_ITEMS)) {
      checkSize(layer.child("size"), findings);
    }
  }

  private static void checkSize(Field size, ValidationResult findings) {
    if (size.integer().filter(it -> it <= 0).isPresent()) {
      findings.add(FieldError.invalid(size, "must be at least 1"));
    }
  }

  private static void checkMinCounts(
      WorkloadView workload, Settings settings, ValidationResult findings) {
    int count = (int) workload.podSets().stream().filter(PodSetRules::hasMinCount).count();
    String path = workload.podSetList().path();
    if (count > 1) {
      findings.add(
          FieldError.invalid(
              path, IntNode.valueOf(count), "at most one pod set can have a minCount"));
    }
    if (count > 0 && workload.isElastic(settings)) {
      findings.add(
          FieldError.invalid(
              path,
              IntNode.valueOf(count),
              "no pod set of an elastic workload can have a minCount: it changes its size anyway"));
    }
  }

  private static boolean hasMinCount(Field podSet) {
    return podSet.child("minCount").isPresent();
  }
}
