package dev.sluice.quota.assign;

import dev.sluice.api.flavor.ResourceFlavorSpec;
import dev.sluice.api.flavor.Taint;
import dev.sluice.api.flavor.Toleration;
import dev.sluice.api.pod.NodeAffinity;
import dev.sluice.api.pod.NodeSelector;
import dev.sluice.api.pod.NodeSelectorRequirement;
import dev.sluice.api.pod.NodeSelectorTerm;
import dev.sluice.api.pod.PodSpec;
import dev.sluice.quota.world.Selectors;
import dev.sluice.quota.world.Taints;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether the nodes of a flavor suit a pod, by taints, node selector and node affinity. */
final class FlavorFit {
  private FlavorFit() {}

  /** Why not, or null where they do. */
  static @Nullable String refusal(ResourceFlavorSpec flavor, PodSpec pod) {
    if (!flavor.nodeTaints().isEmpty()) {
      List<Toleration> tolerations =
          Stream.concat(pod.tolerations().stream(), flavor.tolerations().stream()).toList();
      Taint taint = Taints.firstRepelling(flavor.nodeTaints(), tolerations);
      if (taint != null) {
        return "untolerated taint " + Taints.text(taint);
      }
    }
    String problem = problem(flavor.nodeLabels(), pod);
    if (problem != null) {
      return "node affinity cannot be evaluated: " + problem;
    }
    return selects(flavor.nodeLabels(), pod) ? null : "node selector or affinity does not match";
  }

  /** Why the constraints on these labels cannot be evaluated, or null. */
  private static @Nullable String problem(Map<String, String> labels, PodSpec pod) {
    List<NodeSelectorTerm> terms = terms(pod);
    return isForAnyNode(labels, terms)
        ? null
        : terms.stream()
            .flatMap(term -> term.matchExpressions().stream())
            .filter(requirement -> labels.containsKey(requirement.key()))
            .map(Selectors::problem)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
  }

  /** The terms of the node affinity, of which one has to hold; empty for any node. */
  private static List<NodeSelectorTerm> terms(PodSpec pod) {
    NodeAffinity affinity = pod.affinity() == null ? null : pod.affinity().nodeAffinity();
    NodeSelector required =
        affinity == null ? null : affinity.requiredDuringSchedulingIgnoredDuringExecution();
    return required == null ? List.of() : required.nodeSelectorTerms();
  }

  /** Whether a term says nothing of these labels, so that no other term matters. */
  private static boolean isForAnyNode(Map<String, String> labels, List<NodeSelectorTerm> terms) {
    return terms.isEmpty()
        || terms.stream()
            .anyMatch(
                term ->
                    term.matchExpressions().stream()
                        .noneMatch(requirement -> labels.containsKey(requirement.key())));
  }

  /** Only constraints on the flavor's labels are evaluated; nodes decide the others. */
  private static boolean selects(Map<String, String> labels, PodSpec pod) {
    for (var wanted : pod.nodeSelector().entrySet()) {
      String own = labels.get(wanted.getKey());
      if (own != null && !own.equals(wanted.getValue())) {
        return false;
      }
    }
    List<NodeSelectorTerm> terms = terms(pod);
    return isForAnyNode(labels, terms) || terms.stream().anyMatch(term -> selects(labels, term));
  }

  private static boolean selects(Map<String, String> labels, NodeSelectorTerm term) {
    for (NodeSelectorRequirement requirement : term.matchExpressions()) {
      if (labels.containsKey(requirement.key()) && !Selectors.matches(requirement, labels)) {
        return false;
      }
    }
    return true;
  }
}
