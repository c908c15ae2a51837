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
    return selects(flavor.nodeLabels(), pod) ? null : "node selector or affinity does not match";
  }

  /** Only what the flavor has labels for is asked; the rest is left to the nodes. */
  private static boolean selects(Map<String, String> labels, PodSpec pod) {
    for (var wanted : pod.nodeSelector().entrySet()) {
      String own = labels.get(wanted.getKey());
      if (own != null && !own.equals(wanted.getValue())) {
        return false;
      }
    }
    NodeAffinity affinity = pod.affinity() == null ? null : pod.affinity().nodeAffinity();
    NodeSelector required =
        affinity == null ? null : affinity.requiredDuringSchedulingIgnoredDuringExecution();
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
