package dev.sluice.quota.tree;

import dev.sluice.quota.amount.FlavorResource;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collects what changes of nodes mean for pending workloads until it is taken. For one thread. */
final class TreeEditLog {
  /** The pairs that count otherwise in the tree of a node. */
  private final Map<NodeName, Set<FlavorResource>> edited = new LinkedHashMap<>();

  private final Set<NodeName> reweighted = new LinkedHashSet<>();

  /** The queues that came or moved. */
  private final Set<NodeName> moved = new LinkedHashSet<>();

  /** The cohorts that did, with all that is below and above them. */
  private final Set<NodeName> movedCohorts = new LinkedHashSet<>();

  TreeEditLog() {}

  /** A copy with the same notes that changes independently. */
  TreeEditLog(TreeEditLog other) {
    other.edited.forEach((node, pairs) -> edited.put(node, new HashSet<>(pairs)));
    reweighted.addAll(other.reweighted);
    moved.addAll(other.moved);
    movedCohorts.addAll(other.movedCohorts);
  }

  /** Whether no pair counts otherwise. */
  boolean isEmpty() {
    return edited.isEmpty();
  }

  Set<NodeName> moved() {
    return moved;
  }

  Set<NodeName> movedCohorts() {
    return movedCohorts;
  }

  /**
   * Notes a change of a node; null is no object.
   *
   * @param used the pairs that are used in it
   */
  void noteEdit(
      NodeName name,
      @Nullable NodeSpec old,
      @Nullable NodeSpec spec,
      Collection<FlavorResource> used) {
    NodeSpec before =
        old == null && !name.isClusterQueue() ? NodeSpec.implicitCohort(name.name()) : old;
    NodeSpec after =
        spec == null && !name.isClusterQueue() ? NodeSpec.implicitCohort(name.name()) : spec;
    if (before != null && after != null && Objects.equals(before.parent(), after.parent())) {
      note(name, difference(before.quotas(), after.quotas()));
      if (before.weight() != after.weight()) {
        reweighted.add(name);
      }
    } else if (name.isClusterQueue()) {
      noteMove(name, before, after, used);
    } else {
      movedCohorts.add(name);
    }
  }

  /** Adding, removing or moving a leaf changes the columns that it lists and uses. */
  private void noteMove(
      NodeName queue,
      @Nullable NodeSpec before,
      @Nullable NodeSpec after,
      Collection<FlavorResource> used) {
    moved.add(queue);
    if (before != null && before.parent() != null) {
      NodeName left = NodeName.cohort(before.parent());
      note(left, before.quotas().keySet());
      note(left, used);
    }
    if (after != null) {
      note(queue, after.quotas().keySet());
      note(queue, used);
    }
  }

  /** These pairs count otherwise in the tree of the node. */
  void note(NodeName node, Collection<FlavorResource> pairs) {
    if (!pairs.isEmpty()) {
      edited.computeIfAbsent(node, _ -> new HashSet<>()).addAll(pairs);
    }
  }

  private static Set<FlavorResource> difference(
      Map<FlavorResource, Quota> before, Map<FlavorResource, Quota> after) {
    Set<FlavorResource> different = new HashSet<>();
    before.forEach(
        (pair, quota) -> {
          if (!quota.equals(after.get(pair))) {
            different.add(pair);
          }
        });
    after.keySet().stream().filter(pair -> !before.containsKey(pair)).forEach(different::add);
    return different;
  }

  /**
   * What all of that means for pending workloads; nothing is noted afterwards.
   *
   * @param shaken the nodes that came, went or moved, with all that is in a tree with them
   * @param others the roots of trees whose amounts changed
   * @param roots the root above each node that has a tree
   */
  TreeEdits takeEdits(
      Set<NodeName> shaken, Set<NodeName> others, Function<NodeName, @Nullable NodeName> roots) {
    Set<String> uprooted = new TreeSet<>();
    shaken.stream().filter(NodeName::isClusterQueue).map(NodeName::name).forEach(uprooted::add);
    Map<NodeName, Set<FlavorResource>> pairs = new TreeMap<>();
    edited.forEach(
        (node, own) -> {
          NodeName root = roots.apply(node);
          if (root != null) {
            pairs.computeIfAbsent(root, _ -> new TreeSet<>()).addAll(own);
          }
        });
    Set<NodeName> weights = new TreeSet<>();
    for (NodeName node : reweighted) {
      NodeName root = roots.apply(node);
      if (root != null) {
        weights.add(root);
      }
    }
    edited.clear();
    reweighted.clear();
    moved.clear();
    movedCohorts.clear();
    return new TreeEdits(uprooted, others, pairs, weights);
  }
}
