package dev.sluice.quota.tree;

import dev.sluice.quota.persistent.ForkableIndex;
import dev.sluice.quota.persistent.ForkableMap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which node is below which. A cohort that is only named by others exists without an object. For
 * one thread.
 */
final class CohortGraph {
  private final ForkableMap<NodeName, NodeSpec> specs;
  private final ForkableIndex<NodeName, NodeName> children;

  CohortGraph() {
    this(new ForkableMap<>(), new ForkableIndex<>());
  }

  private CohortGraph(
      ForkableMap<NodeName, NodeSpec> specs, ForkableIndex<NodeName, NodeName> children) {
    this.specs = specs;
    this.children = children;
  }

  /** A copy with the same nodes that changes independently. */
  CohortGraph fork() {
    return new CohortGraph(specs.fork(), children.fork());
  }

  /** The object of the node; null where there is none. */
  @Nullable NodeSpec find(NodeName name) {
    return specs.get(name);
  }

  /** The object of the node, or that of a cohort that has none. */
  NodeSpec spec(NodeName name) {
    NodeSpec spec = specs.get(name);
    return spec == null ? NodeSpec.implicitCohort(name.name()) : spec;
  }

  /** The node is now so, below the same parent as before. */
  void replace(NodeSpec spec) {
    specs.put(spec.name(), spec);
  }

  /** The node is now so; its parent of before is to be unlinked first. */
  void put(NodeSpec spec) {
    specs.put(spec.name(), spec);
    if (spec.parent() != null) {
      children.add(NodeName.cohort(spec.parent()), spec.name());
    }
  }

  void remove(NodeName name) {
    specs.remove(name);
  }

  /** Takes the node from below its parent; answers the parent, or null where it had none. */
  @Nullable NodeName unlink(NodeName name) {
    NodeName parent = parentOf(name);
    if (parent != null) {
      children.remove(parent, name);
    }
    return parent;
  }

  /** In order. */
  List<NodeName> childrenOf(NodeName name) {
    return children.of(name);
  }

  /** Adds the node and all that is in a tree with it, by parents or children. */
  void addConnected(NodeName start, Set<NodeName> touched) {
    List<NodeName> open = new ArrayList<>();
    visit(start, touched, open);
    while (!open.isEmpty()) {
      NodeName name = open.removeLast();
      NodeName parent = parentOf(name);
      if (parent != null) {
        visit(parent, touched, open);
      }
      for (NodeName child : childrenOf(name)) {
        visit(child, touched, open);
      }
    }
  }

  private static void visit(NodeName name, Set<NodeName> touched, List<NodeName> open) {
    if (touched.add(name)) {
      open.add(name);
    }
  }

  /** Whether it has an object, or others name it as their parent. */
  boolean exists(NodeName name) {
    return specs.containsKey(name) || children.containsKey(name);
  }

  @Nullable NodeName parentOf(NodeName name) {
    NodeSpec spec = specs.get(name);
    return spec == null || spec.parent() == null ? null : NodeName.cohort(spec.parent());
  }

  /** The root above the node, or null where its chain of parents is a circle. */
  @Nullable NodeName rootAbove(NodeName name) {
    Set<NodeName> seen = new HashSet<>();
    NodeName at = name;
    while (seen.add(at)) {
      NodeName parent = parentOf(at);
      if (parent == null) {
        return at;
      }
      at = parent;
    }
    return null;
  }

  /** The names from the root down to the ClusterQueue, each after a slash. */
  String pathTo(String clusterQueue) {
    StringBuilder path = new StringBuilder();
    Set<NodeName> seen = new HashSet<>();
    NodeName at = NodeName.clusterQueue(clusterQueue);
    while (at != null && seen.add(at)) {
      path.insert(0, "/" + at.name());
      at = parentOf(at);
    }
    return path.toString();
  }

  /** The cohorts on the way up from the node until one repeats; empty where there is no circle. */
  List<String> circleAbove(NodeName name) {
    if (rootAbove(name) != null) {
      return List.of();
    }
    Set<String> way = new LinkedHashSet<>();
    NodeName at = parentOf(name);
    while (at != null && way.add(at.name())) {
      at = parentOf(at);
    }
    return List.copyOf(way);
  }

  /** Whether it is one of the circle, and not only below one. */
  boolean isInCircle(NodeName name) {
    return circleAbove(name).contains(name.name()) && !name.isClusterQueue();
  }
}
