package dev.sluice.quota.tree;

import static dev.sluice.quota.tree.Quota.NO_LIMIT;

import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that follows from the quotas of one tree, usage left aside (reference: 2.2, 2.3, 2.6).
 * Immutable.
 */
// Nodes are numbered so that a parent comes before its children and the root is 0; siblings are in
// the order of their names. Amounts lie in one array per kind, at node * width + column, where a
// column is a flavor-resource pair of the tree.
public final class TreeShape {
  /** The index of nothing: the parent of the root, or a pair the tree does not have. */
  public static final int NOWHERE = -1;

  private final TreeForm form;
  private final NodeSpec[] specs;
  private final int[] parents;

  private final FlavorResource[] columns;
  private final String[] resources;
  private final int[] resourceOfColumn;

  private final long[] nominal;
  private final long[] borrowingLimit;
  private final long[] subtreeQuota;
  private final long[] localQuota;
  private final long[] potential;
  private final BitSet listed;
  private final double[] lendable;

  /**
   * @param ordered the nodes, parents before children
   * @param parents the index of each node's parent
   * @param extra pairs in use that no quota names
   */
  TreeShape(List<NodeSpec> ordered, int[] parents, Set<FlavorResource> extra) {
    this(new TreeForm(ordered, parents, extra), ordered.toArray(NodeSpec[]::new));
  }

  private TreeShape(TreeForm form, NodeSpec[] specs) {
    this.form = form;
    this.specs = specs;
    this.parents = form.parents();
    this.columns = form.columns();
    this.resources = form.resources();
    this.resourceOfColumn = form.resourceOfColumn();
    int cells = specs.length * columns.length;
    this.nominal = new long[cells];
    this.borrowingLimit = new long[cells];
    long[] lendingLimit = new long[cells];
    this.listed = new BitSet(cells);
    Arrays.fill(borrowingLimit, NO_LIMIT);
    Arrays.fill(lendingLimit, NO_LIMIT);
    readQuotas(lendingLimit);
    this.subtreeQuota = nominal.clone();
    this.localQuota = new long[cells];
    sumSubtrees(lendingLimit);
    this.potential = potentials();
    this.lendable = lendables();
  }

  /**
   * The same tree with other quotas and weights for some of its nodes.
   *
   * @param changed by their nodes; none may name a pair that the tree does not have
   */
  TreeShape with(Map<Integer, NodeSpec> changed) {
    NodeSpec[] others = specs.clone();
    changed.forEach((node, spec) -> others[node] = spec);
    return new TreeShape(form, others);
  }

  /** Whether usage in that tree bubbles up as it does in this one, which has the same form. */
  boolean keepsLocally(TreeShape other) {
    return Arrays.equals(localQuota, other.localQuota);
  }

  private void readQuotas(long[] lendingLimit) {
    for (int node = 0; node < specs.length; node++) {
      for (var entry : specs[node].quotas().entrySet()) {
        int cell = cell(node, column(entry.getKey()));
        nominal[cell] = entry.getValue().nominal();
        borrowingLimit[cell] = entry.getValue().borrowingLimit();
        lendingLimit[cell] = entry.getValue().lendingLimit();
        listed.set(cell);
      }
    }
  }

  private void sumSubtrees(long[] lendingLimit) {
    for (int node = specs.length - 1; node >= 0; node--) {
      for (int column = 0; column < columns.length; column++) {
        int cell = cell(node, column);
        localQuota[cell] =
            lendingLimit[cell] == NO_LIMIT
                ? 0
                : Amounts.notNegative(Amounts.minus(subtreeQuota[cell], lendingLimit[cell]));
        if (node > 0) {
          addToParent(cell, cell(parents[node], column));
        }
      }
    }
  }

  private void addToParent(int cell, int parent) {
    long shared = Amounts.minus(subtreeQuota[cell], localQuota[cell]);
    subtreeQuota[parent] = Amounts.plus(subtreeQuota[parent], shared);
    if (listed.get(cell)) {
      listed.set(parent);
    }
  }

  private long[] potentials() {
    long[] result = subtreeQuota.clone();
    for (int node = 1; node < specs.length; node++) {
      for (int column = 0; column < columns.length; column++) {
        int cell = cell(node, column);
        long most = Amounts.plus(localQuota[cell], result[cell(parents[node], column)]);
        long limit = borrowingLimit[cell];
        result[cell] =
            limit == NO_LIMIT ? most : Math.min(most, Amounts.plus(subtreeQuota[cell], limit));
      }
    }
    return result;
  }

  /** Per node and resource: what its parent could ever give, over the pairs the root lists. */
  private double[] lendables() {
    double[] result = new double[specs.length * resources.length];
    for (int node = 1; node < specs.length; node++) {
      long[] sums = new long[resources.length];
      for (int column = 0; column < columns.length; column++) {
        if (listed.get(column)) {
          int resource = resourceOfColumn[column];
          sums[resource] = Amounts.plus(sums[resource], potential[cell(parents[node], column)]);
        }
      }
      for (int resource = 0; resource < resources.length; resource++) {
        result[node * resources.length + resource] = sums[resource];
      }
    }
    return result;
  }

  int cell(int node, int column) {
    return node * columns.length + column;
  }

  int cells() {
    return specs.length * columns.length;
  }

  /** How many nodes it has. */
  public int size() {
    return specs.length;
  }

  /** How many flavor-resource pairs it knows. */
  public int width() {
    return columns.length;
  }

  public NodeName name(int node) {
    return specs[node].name();
  }

  public boolean isQueue(int node) {
    return specs[node].name().isClusterQueue();
  }

  public double weight(int node) {
    return specs[node].weight();
  }

  /** The index of that node, or {@link #NOWHERE}. */
  public int node(NodeName name) {
    return form.nodes().getOrDefault(name, NOWHERE);
  }

  /** The index of that pair, or {@link #NOWHERE}. */
  public int column(FlavorResource pair) {
    return form.pairs().getOrDefault(pair, NOWHERE);
  }

  /** Every pair it knows. */
  public Set<FlavorResource> pairs() {
    return form.allPairs();
  }

  public FlavorResource pair(int column) {
    return columns[column];
  }

  /** The parent of the node; {@link #NOWHERE} for the root, which is node 0. */
  public int parent(int node) {
    return node == 0 ? NOWHERE : parents[node];
  }

  /** The child ClusterQueues in the order of their names; not to be changed. */
  public int[] childQueues(int node) {
    return form.childQueues()[node];
  }

  /** The child cohorts in the order of their names; not to be changed. */
  public int[] childCohorts(int node) {
    return form.childCohorts()[node];
  }

  /** 0 without children, otherwise one more than the highest child. */
  public int height(int node) {
    return form.heights()[node];
  }

  /** Whether {@code ancestor} is the node or above it. */
  public boolean isAbove(int ancestor, int node) {
    int at = node;
    int[] depths = form.depths();
    while (at != NOWHERE && depths[at] > depths[ancestor]) {
      at = parent(at);
    }
    return at == ancestor;
  }

  /** The lowest node that has both below it or is one of them. */
  public int lowestCommonAncestor(int a, int b) {
    int[] depths = form.depths();
    int left = a;
    int right = b;
    while (left != right) {
      if (depths[left] >= depths[right]) {
        left = parent(left);
      } else {
        right = parent(right);
      }
    }
    return left;
  }

  /** The node on the way from {@code node} up that is a child of {@code ancestor}. */
  public int childTowards(int ancestor, int node) {
    int at = node;
    while (parent(at) != ancestor) {
      at = parent(at);
    }
    return at;
  }

  public long nominal(int node, int column) {
    return nominal[cell(node, column)];
  }

  /** The borrowing limit, or {@link Quota#NO_LIMIT}. */
  public long borrowingLimit(int node, int column) {
    return borrowingLimit[cell(node, column)];
  }

  /** What the node and all below it own, less what those below keep for themselves. */
  public long subtreeQuota(int node, int column) {
    return subtreeQuota[cell(node, column)];
  }

  /** What the node never lends. */
  public long localQuota(int node, int column) {
    return localQuota[cell(node, column)];
  }

  /** The most that could ever be used at the node, with nothing in use anywhere. */
  public long potentialAvailable(int node, int column) {
    return potential[cell(node, column)];
  }

  /** Whether the node or one below it lists the pair. */
  public boolean lists(int node, int column) {
    return listed.get(cell(node, column));
  }

  int resourceCount() {
    return resources.length;
  }

  String resource(int index) {
    return resources[index];
  }

  int resourceOf(int column) {
    return resourceOfColumn[column];
  }

  double lendable(int node, int resource) {
    return lendable[node * resources.length + resource];
  }

  /**
   * The usage in terms of this tree's columns; what the tree does not have is left out.
   *
   * @see #knows
   */
  public Vector vector(Usage usage) {
    int[] at = new int[usage.size()];
    long[] amounts = new long[usage.size()];
    int size = 0;
    for (int i = 0; i < usage.size(); i++) {
      int column = column(usage.key(i));
      if (column != NOWHERE) {
        at[size] = column;
        amounts[size++] = usage.amount(i);
      }
    }
    return new Vector(Arrays.copyOf(at, size), Arrays.copyOf(amounts, size));
  }

  /** Whether the tree has a column for everything the usage names. */
  public boolean knows(Usage usage) {
    for (int i = 0; i < usage.size(); i++) {
      if (!form.pairs().containsKey(usage.key(i))) {
        return false;
      }
    }
    return true;
  }
}
