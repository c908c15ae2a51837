package dev.sluice.quota.tree;

import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.persistent.ForkableMap;
import dev.sluice.quota.persistent.PersistentMap;
import java.util.ArrayList;
import java.util.HashSet;
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
  private final CohortGraph graph;
  private final TreeEditLog log;
  private final ForkableMap<NodeName, NodeName> roots;
  private final Set<NodeName> changed = new LinkedHashSet<>();
  // of these only amounts and weights changed
  private final Set<NodeName> requoted = new LinkedHashSet<>();
  private PersistentMap<String, Usage> usages = PersistentMap.empty();
  private PersistentMap<NodeName, QuotaTree> trees = PersistentMap.empty();
  private PersistentMap<String, NodeName> rootOfQueue = PersistentMap.empty();
  // the nodes whose chain of parents is a circle, and the trees in which they are shown
  private final NavigableSet<NodeName> circling = new TreeSet<>();
  private @Nullable List<QuotaTree> cut = List.of();

  /** No nodes. */
  public CohortForest() {
    this.graph = new CohortGraph();
    this.log = new TreeEditLog();
    this.roots = new ForkableMap<>();
  }

  private CohortForest(CohortForest other) {
    this.graph = other.graph.fork();
    this.log = new TreeEditLog(other.log);
    this.roots = other.roots.fork();
    this.changed.addAll(other.changed);
    this.requoted.addAll(other.requoted);
    this.usages = other.usages;
    this.trees = other.trees;
    this.rootOfQueue = other.rootOfQueue;
    this.circling.addAll(other.circling);
    this.cut = other.cut;
  }

  /**
   * A copy with the same trees that changes independently. Costs the changes that were not settled.
   */
  public CohortForest fork() {
    return new CohortForest(this);
  }

  /** The node is now so. Takes effect at the next {@link #settle}. */
  public void put(NodeSpec spec) {
    NodeSpec old = graph.find(spec.name());
    if (spec.equals(old)) {
      return;
    }
    noteEdit(spec.name(), old, spec);
    if (keepsForm(spec)) {
      graph.replace(spec);
      requoted.add(spec.name());
      return;
    }
    unlink(spec.name());
    graph.put(spec);
    changed.add(spec.name());
  }

  /** Whether the tree stays as it is but for its amounts. */
  private boolean keepsForm(NodeSpec spec) {
    NodeSpec old = graph.find(spec.name());
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
    NodeSpec old = graph.find(name);
    if (old == null) {
      return;
    }
    noteEdit(name, old, null);
    unlink(name);
    graph.remove(name);
    changed.add(name);
  }

  /** What is used in the ClusterQueue of that name counts otherwise for others in its tree. */
  public void touch(String queue) {
    log.note(NodeName.clusterQueue(queue), usageOf(queue).keys());
  }

  private void noteEdit(NodeName name, @Nullable NodeSpec old, @Nullable NodeSpec spec) {
    log.noteEdit(name, old, spec, name.isClusterQueue() ? usageOf(name.name()).keys() : List.of());
  }

  private void unlink(NodeName name) {
    NodeName parent = graph.unlink(name);
    if (parent != null) {
      changed.add(parent);
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
    boolean exact =
        !usage.isSaturated()
            && usageOf(queue).withoutZeros().equals(rest.plus(usage).withoutZeros());
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

  /** The root of the ClusterQueue's tree, or null where it has none. */
  public @Nullable NodeName rootOf(String queue) {
    return roots.get(NodeName.clusterQueue(queue));
  }

  /** All that is used in the ClusterQueue of that name. */
  public Usage usageOf(String queue) {
    Usage usage = usages.find(queue);
    return usage == null ? Usage.NONE : usage;
  }

  /** Whether no change waits for {@link #settle}. */
  public boolean settled() {
    return changed.isEmpty() && requoted.isEmpty() && log.isEmpty();
  }

  /**
   * Rebuilds the changed trees.
   *
   * @return what that means for pending workloads there
   */
  public TreeEdits settle() {
    Set<NodeName> touched = touchedNodes(changed);
    Set<NodeName> shaken = new LinkedHashSet<>(log.moved());
    shaken.addAll(touchedNodes(log.movedCohorts()));
    changed.clear();
    for (NodeName name : touched) {
      roots.remove(name);
      trees = trees.without(name);
      rootOfQueue = name.isClusterQueue() ? rootOfQueue.without(name.name()) : rootOfQueue;
    }
    Set<NodeName> others = new TreeSet<>();
    for (NodeName name : touched) {
      NodeName root = graph.exists(name) ? graph.rootAbove(name) : null;
      noteCircle(name, graph.exists(name) && root == null);
      if (root != null && !trees.containsKey(root)) {
        build(root);
        others.add(root);
      }
    }
    requoted.removeAll(touched);
    others.addAll(requote());
    return log.takeEdits(shaken, others, roots::get);
  }

  /** Gives the trees whose amounts changed the new ones; answers their roots. */
  private Set<NodeName> requote() {
    Map<NodeName, Map<Integer, NodeSpec>> byRoot = new TreeMap<>();
    for (NodeName name : requoted) {
      NodeName root = roots.get(name);
      QuotaTree tree = root == null ? null : trees.find(root);
      if (root != null && tree != null) {
        byRoot
            .computeIfAbsent(root, _ -> new TreeMap<>())
            .put(tree.shape().node(name), graph.spec(name));
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
      graph.addConnected(name, touched);
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
      graph.addConnected(tree.shape().name(node), touched);
    }
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
    ordered.add(graph.spec(root));
    parents.add(TreeShape.NOWHERE);
    TreeSet<FlavorResource> used = new TreeSet<>();
    for (int node = 0; node < ordered.size(); node++) {
      NodeName name = ordered.get(node).name();
      if (name.isClusterQueue()) {
        used.addAll(usageOf(name.name()).keys());
        continue;
      }
      for (NodeName child : graph.childrenOf(name)) {
        if (!child.equals(root)) {
          ordered.add(graph.spec(child));
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
        if (!shown.contains(name) && graph.isInCircle(name)) {
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

  /** The names from the root down to the ClusterQueue, each after a slash. */
  public String pathTo(String clusterQueue) {
    return graph.pathTo(clusterQueue);
  }

  /** The cohorts on the way up from the node until one repeats; empty where there is no circle. */
  public List<String> circleAbove(NodeName name) {
    return graph.circleAbove(name);
  }
}
