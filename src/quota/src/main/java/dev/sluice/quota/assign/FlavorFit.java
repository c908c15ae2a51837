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
    NodeSelector required = required(pod);
    return required == null
        ? null
        : required.nodeSelectorTerms().stream()
            .flatMap(term -> term.matchExpressions().stream())
            .filter(requirement -> labels.containsKey(requirement.key()))
            .map(Selectors::problem)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
  }

  private static @Nullable NodeSelector required(PodSpec pod) {
    NodeAffinity affinity = pod.affinity() == null ? null : pod.affinity().nodeAffinity();
    return affinity == null ? null : affinity.requiredDuringSchedulingIgnoredDuringExecution();
  }

  /** Only constraints on the flavor's labels are evaluated; nodes decide the others. */
  private static boolean selects(Map<String, String> labels, PodSpec pod) {
    for (var wanted : pod.nodeSelector().entrySet()) {
      String own = labels.get(wanted.getKey());
      if (own != null && !own.equals(wanted.getValue())) {
        return false;
      }
    }
    NodeSelector required = required(pod);
    return required == null || selects(labels, required.nodeSelectorTerms());
  }

  private static boolean selects(Map<String, String> labels, List<NodeSelectorTerm> terms) {
    return terms.stream().anyMatch(term -> selects(labels, term));
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
