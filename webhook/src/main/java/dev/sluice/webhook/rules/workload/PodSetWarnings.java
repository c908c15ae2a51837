package dev.sluice.webhook.rules.workload;

import dev.sluice.api.Quantity;
import dev.sluice.api.names.LabelKey;
import dev.sluice.rules.Field;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.ValueText;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is allowed in pod sets and cannot be placed, or cannot be run. */
final class PodSetWarnings {
  private static final List<String> MODES = List.of("required", "preferred", "unconstrained");

  private PodSetWarnings() {}

  static void check(Field podSet, ValidationResult findings) {
    Field request = podSet.child("topologyRequest");
    warnOfModes(request, findings);
    warnOfSlices(request, WorkloadView.count(podSet), findings);
    Field pod = podSet.child("template").child("spec");
    for (Field container : pod.child("containers").items(WorkloadView.MAX_ITEMS)) {
      warnOfResources(container.child("resources"), findings);
    }
    warnOfOverhead(pod.child("overhead"), findings);
  }

  private static void warnOfModes(Field request, ValidationResult findings) {
    List<String> set = MODES.stream().filter(mode -> isAsked(request.child(mode))).toList();
    if (set.size() > 1) {
      findings.warn(
          "%s: only one of %s can count".formatted(request.path(), String.join(", ", set)));
    }
    for (String label : List.of("required", "preferred", "podSetSliceRequiredTopology")) {
      warnOfLabel(request.child(label), findings);
    }
  }

  private static boolean isAsked(Field mode) {
    return mode.node().isTextual() || mode.node().asBoolean();
  }

  private static void warnOfLabel(Field label, ValidationResult findings) {
    if (label.text().filter(it -> !LabelKey.problems(it).isEmpty()).isPresent()) {
      findings.warn(
          "%s: no Node can have a label %s".formatted(label.path(), ValueText.of(label.node())));
    }
  }

  private static void warnOfSlices(Field request, long count, ValidationResult findings) {
    Field size = request.child("podSetSliceSize");
    warnOfSize(size, count, findings);
    Field layers = request.child("podsetSliceRequiredTopologyConstraints");
    if (layers.node().size() > 0 && size.isPresent()) {
      findings.warn(layers.path() + ": cannot be combined with podSetSliceSize");
    }
    Set<String> seen = new HashSet<>();
    Optional<Long> outer = Optional.empty();
    for (Field layer : layers.items(WorkloadView.MAX_ITEMS)) {
      warnOfLabel(layer.child("topology"), findings);
      if (!seen.add(layer.child("topology").text().orElse(""))) {
        findings.warn(layer.child("topology").path() + ": is a layer already");
      }
      Optional<Long> inner = layer.child("size").integer().filter(it -> it > 0);
      if (outer.isPresent() && inner.isPresent() && outer.get() % inner.get() != 0) {
        findings.warn(
            "%s: does not divide the %d of the layer above"
                .formatted(layer.child("size").path(), outer.get()));
      }
      if (outer.isEmpty()) {
        warnOfSize(layer.child("size"), count, findings);
      }
      outer = inner;
    }
  }

  private static void warnOfSize(Field size, long count, ValidationResult findings) {
    if (count > 0 && size.integer().filter(it -> it > count).isPresent()) {
      findings.warn("%s: more than the %d pods of the set".formatted(size.path(), count));
    }
  }

  static void checkGroups(List<Field> podSets, ValidationResult findings) {
    Map<String, Integer> sizes = new HashMap<>();
    for (Field podSet : podSets) {
      group(podSet).text().ifPresent(name -> sizes.merge(name, 1, Integer::sum));
    }
    for (Field podSet : podSets) {
      Field group = group(podSet);
      if (group.text().filter(name -> sizes.getOrDefault(name, 0) != 2).isPresent()) {
        findings.warn(group.path() + ": a group is made of two pod sets, a leader and its workers");
      }
    }
  }

  private static Field group(Field podSet) {
    return podSet.child("topologyRequest").child("podSetGroupName");
  }

  private static void warnOfResources(Field resources, ValidationResult findings) {
    Field limits = resources.child("limits");
    for (var entry : resources.child("requests").node().properties()) {
      Field request = resources.child("requests").key(entry.getKey());
      if (!LabelKey.problems(entry.getKey()).isEmpty()) {
        findings.warn(request.path() + ": no name of a resource");
      }
      Optional<Quantity> asked = request.quantity();
      Optional<Quantity> limit = limits.key(entry.getKey()).quantity();
      if (asked.isPresent() && limit.isPresent() && asked.get().compareTo(limit.get()) > 0) {
        findings.warn(
            "%s: more than the limit of %s, so no pod can be created"
                .formatted(request.path(), limit.get()));
      }
    }
  }

  private static void warnOfOverhead(Field overhead, ValidationResult findings) {
    for (var entry : overhead.node().properties()) {
      Field amount = overhead.key(entry.getKey());
      if (amount.quantity().filter(it -> it.signum() < 0).isPresent()) {
        findings.warn(amount.path() + ": negative, so no pod can be created");
      }
    }
  }
}
