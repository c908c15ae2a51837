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
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether the nodes of a flavor suit a pod, by taints and labels (reference: 4.5). */
final class FlavorFit {
  private FlavorFit() {}

  /** Why not, or null where they do. */
  static @Nullable String refusal(ResourceFlavorSpec flavor, PodSpec pod) {
    for (Taint taint : flavor.nodeTaints()) {
      if (repels(taint) && !tolerated(taint, flavor, pod)) {
        return "untolerated taint " + text(taint);
      }
    }
    return selects(flavor.nodeLabels(), pod) ? null : "node selector or affinity does not match";
  }

  private static boolean repels(Taint taint) {
    return taint.effect().equals("NoSchedule") || taint.effect().equals("NoExecute");
  }

  private static boolean tolerated(Taint taint, ResourceFlavorSpec flavor, PodSpec pod) {
    return Stream.concat(pod.tolerations().stream(), flavor.tolerations().stream())
        .anyMatch(toleration -> tolerates(toleration, taint));
  }

  private static boolean tolerates(Toleration toleration, Taint taint) {
    String effect = text(toleration.effect());
    String key = text(toleration.key());
    if (!effect.isEmpty() && !effect.equals(taint.effect())) {
      return false;
    }
    boolean exists = text(toleration.operator()).equals("Exists");
    if (key.isEmpty()) {
      return exists;
    }
    return key.equals(taint.key())
        && (exists || text(toleration.value()).equals(text(taint.value())));
  }

  private static String text(@Nullable String optional) {
    return optional == null ? "" : optional;
  }

  private static String text(Taint taint) {
    String value = taint.value() == null ? "" : "=" + taint.value();
    return "{" + taint.key() + value + ":" + taint.effect() + "}";
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
