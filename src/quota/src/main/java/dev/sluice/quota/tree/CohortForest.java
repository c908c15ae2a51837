package dev.sluice.quota.tree;

import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.persistent.PersistentMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All quota trees, kept up to date as nodes are added, changed and removed in any order. A cohort
 * that is only named by others exists without quota. Nodes whose chain of parents is a circle have
 * no tree until the circle is broken. Usage belongs to a ClusterQueue's name and outlives its
 * object. A change of usage costs the height of the tree, and so does one of amounts alone, which
 * leaves the tree's form as it is; any other change of a node costs the size of its tree, once,
 * however many changes come before the next {@link #settle}. For one thread.
 */
public final class CohortForest {
  private final Map<NodeName, NodeSpec> specs = new HashMap<>();
  private final Map<NodeName, NavigableSet<NodeName>> children = new HashMap<>();
  private final Map<NodeName, NodeName> roots = new HashMap<>();
  private final Set<NodeName> changed = new LinkedHashSet<>();
  // of these only amounts and weights changed
  private final Set<NodeName> requoted = new LinkedHashSet<>();
  // what all of that means to others: the pairs that count otherwise in the tree of a node, ...
  private final Map<NodeName, Set<FlavorResource>> edited = new LinkedHashMap<>();
  // ... whose weight is another, ...
  private final Set<NodeName> reweighted = new LinkedHashSet<>();
  // ... which queues came or moved, and which cohorts did, with all that is below and above them
  private final Set<NodeName> moved = new LinkedHashSet<>();
  private final Set<NodeName> movedCohorts = new LinkedHashSet<>();
  private PersistentMap<String, Usage> usages = PersistentMap.empty();
  private PersistentMap<NodeName, QuotaTree> trees = PersistentMap.empty();
  private PersistentMap<String, NodeName> rootOfQueue = PersistentMap.empty();
  // the nodes whose chain of parents is a circle, and the trees in which they are shown
  private final NavigableSet<NodeName> circling = new TreeSet<>();
  private @Nullable List<QuotaTree> cut = List.of();

  /** The node is now so. Takes effect at the next {@link #settle}. */
  public void put(NodeSpec spec) {
    NodeSpec old = specs.get(spec.name());
    if (spec.equals(old)) {
      return;
    }
    noteEdit(spec.name(), old, spec);
    if (keepsForm(spec)) {
      specs.put(spec.name(), spec);
      requoted.add(spec.name());
      return;
    }
    unlink(spec.name());
    specs.put(spec.name(), spec);
    if (spec.parent() != null) {
      NodeName parent = NodeName.cohort(spec.parent());
      children.computeIfAbsent(parent, _ -> new TreeSet<>()).add(spec.name());
    }
    changed.add(spec.name());
  }

  /** Whether the tree stays as it is but for its amounts. */
  private boolean keepsForm(NodeSpec spec) {
    NodeSpec old = specs.get(spec.name());
    QuotaTree tree = treeWith(spec.name());
    return old != null
        && tree != null
        && Objects.equals(old.parent(), spec.parent())
        && old.quotas().keySet().equals(spec.quotas().keySet());
  }

  private @Nullable QuotaTree treeWith(NodeName name) {
    NodeName root = roots.get(name);
    return root == null ? null : trees.find(root);
  }

  /** The object of the node is gone. Takes effect at the next {@link #settle}. */
  public void remove(NodeName name) {
    NodeSpec old = specs.get(name);
    if (old == null) {
      return;
    }
    noteEdit(name, old, null);
    unlink(name);
    specs.remove(name);
    changed.add(name);
  }

  /** What is used in the ClusterQueue of that name counts otherwise for others in its tree. */
  public void touch(String queue) {
    note(NodeName.clusterQueue(queue), usageOf(queue).keys());
  }

  /** Records a change for the next {@link #settle}; null is no object. */
  private void noteEdit(NodeName name, @Nullable NodeSpec old, @Nullable NodeSpec spec) {
    NodeSpec before = old == null && !name.isClusterQueue() ? spec(name) : old;
    NodeSpec after =
        spec == null && !name.isClusterQueue() ? NodeSpec.implicitCohort(name.name()) : spec;
    if (before != null && after != null && Objects.equals(before.parent(), after.parent())) {
      note(name, difference(before.quotas(), after.quotas()));
      if (before.weight() != after.weight()) {
        reweighted.add(name);
      }
    } else if (name.isClusterQueue()) {
      noteMove(name, before, after);
    } else {
      movedCohorts.add(name);
    }
  }

  /** Adding, removing or moving a leaf changes the columns that it lists and uses. */
  private void noteMove(NodeName queue, @Nullable NodeSpec before, @Nullable NodeSpec after) {
    moved.add(queue);
    List<FlavorResource> used = usageOf(queue.name()).keys();
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

  private void note(NodeName node, Collection<FlavorResource> pairs) {
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

  private void unlink(NodeName name) {
    NodeSpec old = specs.get(name);
    if (old == null || old.parent() == null) {
      return;
    }
    NodeName parent = NodeName.cohort(old.parent());
    changed.add(parent);
    NavigableSet<NodeName> siblings = children.get(parent);
    if (siblings != null && siblings.remove(name) && siblings.isEmpty()) {
      children.remove(parent);
    }
  }

  /** More is used in the ClusterQueue of that name. */
  public void addUsage(String queue, Usage usage) {
    usages = usages.with(queue, usageOf(queue).plus(usage));
    post(queue, usage, true);
  }

  /**
   * Less is used in the ClusterQueue of that name; {@code rest} is all that is still used there.
   */
  public void removeUsage(String queue, Usage usage, Usage rest) {
    boolean exact = usageOf(queue).withoutZeros().equals(rest.plus(usage).withoutZeros());
    usages = rest.equals(Usage.NONE) ? usages.without(queue) : usages.with(queue, rest);
    if (exact) {
      post(queue, usage, false);
    } else { // saturated: a difference would not be the rest
      changed.add(NodeName.clusterQueue(queue));
    }
  }

  private void post(String queue, Usage usage, boolean added) {
    NodeName name = NodeName.clusterQueue(queue);
    NodeName root = roots.get(name);
    QuotaTree tree = root == null ? null : trees.find(root);
    if (root == null || tree == null || usage.size() == 0) {
      cut = circling.contains(name) ? null : cut;
      return;
    }
    TreeShape shape = tree.shape();
    if (!shape.knows(usage)) {
      changed.add(name);
      return;
    }
    QuotaUsage ledger = tree.ledger();
    if (added) {
      ledger.add(shape.node(name), shape.vector(usage));
    } else {
      ledger.remove(shape.node(name), shape.vector(usage));
    }
    trees = trees.with(root, ledger.freeze());
  }

  /** All that is used in the ClusterQueue of that name. */
  public Usage usageOf(String queue) {
    Usage usage = usages.find(queue);
    return usage == null ? Usage.NONE : usage;
  }

  /** Whether no change waits for {@link #settle}. */
  public boolean settled() {
    return changed.isEmpty() && requoted.isEmpty() && edited.isEmpty();
  }

  /**
   * Rebuilds the changed trees.
   *
   * @return what that means for pending workloads there
   */
  public TreeEdits settle() {
    Set<NodeName> touched = touchedNodes(changed);
    Set<NodeName> shaken = new LinkedHashSet<>(moved);
    shaken.addAll(touchedNodes(movedCohorts));
    changed.clear();
    for (NodeName name : touched) {
      roots.remove(name);
      trees = trees.without(name);
      rootOfQueue = name.isClusterQueue() ? rootOfQueue.without(name.name()) : rootOfQueue;
    }
    Set<NodeName> others = new TreeSet<>();
    for (NodeName name : touched) {
      NodeName root = exists(name) ? rootAbove(name) : null;
      noteCircle(name, exists(name) && root == null);
      if (root != null && !trees.containsKey(root)) {
        build(root);
        others.add(root);
      }
    }
    requoted.removeAll(touched);
    others.addAll(requote());
    return edits(shaken, others);
  }

  private TreeEdits edits(Set<NodeName> shaken, Set<NodeName> others) {
    Set<String> uprooted = new TreeSet<>();
    shaken.stream().filter(NodeName::isClusterQueue).map(NodeName::name).forEach(uprooted::add);
    Map<NodeName, Set<FlavorResource>> pairs = new TreeMap<>();
    edited.forEach(
        (node, own) -> {
          NodeName root = roots.get(node);
          if (root != null) {
            pairs.computeIfAbsent(root, _ -> new TreeSet<>()).addAll(own);
          }
        });
    Set<NodeName> weights = new TreeSet<>();
    for (NodeName node : reweighted) {
      NodeName root = roots.get(node);
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

  /** Gives the trees whose amounts changed the new ones; answers their roots. */
  private Set<NodeName> requote() {
    Map<NodeName, Map<Integer, NodeSpec>> byRoot = new TreeMap<>();
    for (NodeName name : requoted) {
      NodeName root = roots.get(name);
      QuotaTree tree = root == null ? null : trees.find(root);
      if (root != null && tree != null) {
        byRoot.computeIfAbsent(root, _ -> new TreeMap<>()).put(tree.shape().node(name), spec(name));
      }
    }
    requoted.clear();
    byRoot.forEach(this::requote);
    return byRoot.keySet();
  }

  private void requote(NodeName root, Map<Integer, NodeSpec> changes) {
    QuotaTree old = trees.find(root);
    if (old == null) {
      return;
    }
    TreeShape shape = old.shape().with(changes);
    QuotaTree other = old.with(shape);
    trees = trees.with(root, other == null ? withUsage(shape) : other);
  }

  /** These nodes and all that were or are in a tree with one of them. */
  private Set<NodeName> touchedNodes(Set<NodeName> some) {
    Set<NodeName> touched = new LinkedHashSet<>();
    for (NodeName name : some) {
      touchOldTree(name, touched);
      touchConnected(name, touched);
    }
    return touched;
  }

  private void touchOldTree(NodeName name, Set<NodeName> touched) {
    NodeName root = roots.get(name);
    QuotaTree tree = root == null ? null : trees.find(root);
    if (tree == null || touched.contains(name)) {
      return;
    }
    for (int node = 0; node < tree.shape().size(); node++) {
      touchConnected(tree.shape().name(node), touched);
    }
  }

  private void touchConnected(NodeName start, Set<NodeName> touched) {
    List<NodeName> open = new ArrayList<>();
    visit(start, touched, open);
    while (!open.isEmpty()) {
      NodeName name = open.removeLast();
      NodeName parent = parentOf(name);
      if (parent != null) {
        visit(parent, touched, open);
      }
      for (NodeName child : children.getOrDefault(name, EMPTY)) {
        visit(child, touched, open);
      }
    }
  }

  private static final NavigableSet<NodeName> EMPTY = Collections.emptyNavigableSet();

  private static void visit(NodeName name, Set<NodeName> touched, List<NodeName> open) {
    if (touched.add(name)) {
      open.add(name);
    }
  }

  private boolean exists(NodeName name) {
    return specs.containsKey(name) || children.containsKey(name);
  }

  private @Nullable NodeName parentOf(NodeName name) {
    NodeSpec spec = specs.get(name);
    return spec == null || spec.parent() == null ? null : NodeName.cohort(spec.parent());
  }

  /** The root above the node, or null where its chain of parents is a circle. */
  private @Nullable NodeName rootAbove(NodeName name) {
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
  public String pathTo(String clusterQueue) {
    StringBuilder path = new StringBuilder();
    Set<NodeName> seen = new HashSet<>();
    NodeName at = NodeName.clusterQueue(clusterQueue);
    while (at != null && seen.add(at)) {
      path.insert(0, "/" + at.name());
      at = parentOf(at);
    }
    return path.toString();
  }

  private void build(NodeName root) {
    QuotaTree tree = treeBelow(root);
    TreeShape shape = tree.shape();
    for (int node = 0; node < shape.size(); node++) {
      NodeName name = shape.name(node);
      roots.put(name, root);
      rootOfQueue = name.isClusterQueue() ? rootOfQueue.with(name.name(), root) : rootOfQueue;
    }
    trees = trees.with(root, tree);
  }

  /** The node with all that is below it; a circle ends where it would come back to the node. */
  private QuotaTree treeBelow(NodeName root) {
    List<NodeSpec> ordered = new ArrayList<>();
    List<Integer> parents = new ArrayList<>();
    ordered.add(spec(root));
    parents.add(TreeShape.NOWHERE);
    TreeSet<FlavorResource> used = new TreeSet<>();
    for (int node = 0; node < ordered.size(); node++) {
      NodeName name = ordered.get(node).name();
      if (name.isClusterQueue()) {
        used.addAll(usageOf(name.name()).keys());
        continue;
      }
      for (NodeName child : children.getOrDefault(name, EMPTY)) {
        if (!child.equals(root)) {
          ordered.add(spec(child));
          parents.add(node);
        }
      }
    }
    int[] parentIndexes = parents.stream().mapToInt(Integer::intValue).toArray();
    return withUsage(new TreeShape(ordered, parentIndexes, used));
  }

  private void noteCircle(NodeName name, boolean circles) {
    boolean circled = circling.remove(name);
    if (circles) {
      circling.add(name);
    }
    cut = circles || circled ? null : cut;
  }

  /** A tree for each circle, cut above the cohort whose name comes first. */
  private List<QuotaTree> cutTrees() {
    List<QuotaTree> known = cut;
    if (known == null) {
      known = new ArrayList<>();
      Set<NodeName> shown = new HashSet<>();
      for (NodeName name : circling) {
        if (!shown.contains(name) && isInCircle(name)) {
          QuotaTree tree = treeBelow(name);
          for (int node = 0; node < tree.shape().size(); node++) {
            shown.add(tree.shape().name(node));
          }
          known.add(tree);
        }
      }
      known = List.copyOf(known);
      cut = known;
    }
    return known;
  }

  /** Whether it is one of the circle, and not only below one. */
  private boolean isInCircle(NodeName name) {
    return circleAbove(name).contains(name.name()) && !name.isClusterQueue();
  }

  private NodeSpec spec(NodeName name) {
    NodeSpec spec = specs.get(name);
    return spec == null ? NodeSpec.implicitCohort(name.name()) : spec;
  }

  private QuotaTree withUsage(TreeShape shape) {
    QuotaUsage ledger = new QuotaUsage(shape, UsageTable.zeros(shape.cells()));
    for (int node = 0; node < shape.size(); node++) {
      if (shape.isQueue(node)) {
        ledger.add(node, shape.vector(usageOf(shape.name(node).name())));
      }
    }
    return ledger.freeze();
  }

  /** The trees as they are; settled first, if need be. Costs nothing when settled. */
  public Trees trees() {
    return new Trees(trees, rootOfQueue, cutTrees());
  }

  /** The cohorts on the way up from the node until one repeats; empty where there is no circle. */
  public List<String> circleAbove(NodeName name) {
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
}
