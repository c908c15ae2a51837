package dev.sluice.quota.topology.node;

import dev.sluice.api.core.Node;
import dev.sluice.api.flavor.Taint;
import dev.sluice.api.flavor.Toleration;
import dev.sluice.api.pod.NodeSelector;
import dev.sluice.api.pod.NodeSelectorRequirement;
import dev.sluice.api.pod.NodeSelectorTerm;
import dev.sluice.api.pod.PreferredSchedulingTerm;
import dev.sluice.quota.world.Selectors;
import dev.sluice.quota.world.Taints;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes a pod may run on, and which it would like.
 *
 * @param required one of its terms has to fit, or null for any node
 * @param preferred empty where what a pod would like does not count
 */
public record NodeFilter(
    Map<String, String> selector,
    @Nullable NodeSelector required,
    List<Toleration> tolerations,
    List<PreferredSchedulingTerm> preferred) {
  public static final NodeFilter ANY_NODE = new NodeFilter(Map.of(), null, List.of(), List.of());

  public NodeFilter {
    selector = Map.copyOf(selector);
    tolerations = List.copyOf(tolerations);
    preferred = List.copyOf(preferred);
  }

  /** What keeps the pod off the node, as it is counted in an explanation, or null. */
  public @Nullable String exclusion(Node node) {
    Taint taint = Taints.firstRepelling(node.spec().taints(), tolerations);
    if (taint != null) {
      return "taint " + Taints.text(taint);
    }
    for (var wanted : selector.entrySet()) {
      if (!wanted.getValue().equals(node.metadata().labels().get(wanted.getKey()))) {
        return "nodeSelector";
      }
    }
    return required == null || fitsAny(required.nodeSelectorTerms(), node) ? null : "affinity";
  }

  /** Why no node can be judged by these terms, or null. */
  public static @Nullable String problem(@Nullable NodeSelector required) {
    if (required == null) {
      return null;
    }
    for (NodeSelectorTerm term : required.nodeSelectorTerms()) {
      for (List<NodeSelectorRequirement> part :
          List.of(term.matchExpressions(), term.matchFields())) {
        for (NodeSelectorRequirement requirement : part) {
          String problem = Selectors.problem(requirement);
          if (problem != null) {
            return "node affinity cannot be evaluated: " + problem;
          }
        }
      }
    }
    return null;
  }

  private static boolean fitsAny(List<NodeSelectorTerm> terms, Node node) {
    return terms.stream().anyMatch(term -> fits(term, node));
  }

  private static boolean fits(NodeSelectorTerm term, Node node) {
    if (term.matchExpressions().isEmpty() && term.matchFields().isEmpty()) {
      return false;
    }
    for (NodeSelectorRequirement requirement : term.matchExpressions()) {
      if (!Selectors.matches(requirement, node.metadata().labels())) {
        return false;
      }
    }
    Map<String, String> fields = Map.of("metadata.name", node.metadata().name());
    for (NodeSelectorRequirement requirement : term.matchFields()) {
      if (!Selectors.matches(requirement, fields)) {
        return false;
      }
    }
    return true;
  }

  /** How much the pod would like the node: the weights of the terms that fit. */
  public long liking(Node node) {
    long sum = 0;
    for (PreferredSchedulingTerm term : preferred) {
      sum += fits(term.preference(), node) ? term.weight() : 0;
    }
    return sum;
  }
}
