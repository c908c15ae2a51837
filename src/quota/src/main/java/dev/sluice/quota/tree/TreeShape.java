package dev.sluice.quota.tree;

import static dev.sluice.quota.tree.Quota.NO_LIMIT;

import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that follows from the quotas of one tree, without usage: nominal quota, limits,
 * subtree quota and what each node can lend. Immutable.
 */
// Nodes are numbered so that a parent comes before its children and the root is 0; siblings are in
// the order of their names. Amounts lie in a row for each node, in which a column is a
// flavor-resource pair of the tree. The potential of a node is computed from there to the root
// on each read, so that an edit touches only the rows between its node and the root.
public final class TreeShape {
  /** The index of nothing: the parent of the root, or a pair the tree does not have. */
  public static final int NOWHERE = -1;

  private final TreeForm form;
  private final NodeSpec[] specs;
  private final Row[] rows;
  private final int[] parents;
  private final FlavorResource[] columns;
  private final String[] resources;
  private final int[] resourceOfColumn;
  // by cohort, once asked for: only shares need it; threads that ask at one time make the same
  private volatile @Nullable Lendable @Nullable [] lendable;

  /** What a cohort could ever give; its field is final, so that a race shows all of it or none. */
  private static final class Lendable {
    private final double[] byResource;

    private Lendable(double[] byResource) {
      this.byResource = byResource;
    }
  }

  /**
   * @param ordered the nodes, parents before children
   * @param parents the index of each node's parent
   * @param extra pairs in use that no quota names
   */
  TreeShape(List<NodeSpec> ordered, int[] parents, Set<FlavorResource> extra) {
    this(
        new TreeForm(ordered, parents, extra),
        ordered.toArray(NodeSpec[]::new),
        new Row[ordered.size()]);
    for (int node = 0; node < rows.length; node++) {
      rows[node] = new Row(specs[node].quotas(), form);
    }
    for (int node = rows.length - 1; node >= 0; node--) {
      rows[node].keepBack(); // all of its children have joined
      if (node > 0) {
        rows[parents[node]].join(rows[node]);
      }
    }
  }

  private TreeShape(TreeForm form, NodeSpec[] specs, Row[] rows) {
    this.form = form;
    this.specs = specs;
    this.rows = rows;
    this.parents = form.parents();
    this.columns = form.columns();
    this.resources = form.resources();
    this.resourceOfColumn = form.resourceOfColumn();
  }

  /**
   * The same tree with other amounts and weights for some of its nodes. Costs the nodes between
   * these and the root.
   *
   * @param changed by their nodes; each lists the same pairs as before
   */
  TreeShape with(Map<Integer, NodeSpec> changed) {
    var other = new TreeShape(form, specs.clone(), rows.clone());
    changed.forEach((node, spec) -> other.specs[node] = spec);
    TreeMap<Integer, List<Integer>> open = new TreeMap<>(); // with the children that changed
    changed.keySet().forEach(node -> open.put(node, new ArrayList<>()));
    while (!open.isEmpty()) {
      var last = open.pollLastEntry(); // parents come before children
      int node = last.getKey();
      other.rows[node] = other.row(node, changed.containsKey(node), last.getValue(), this);
      if (node > 0) {
        open.computeIfAbsent(parents[node], _ -> new ArrayList<>()).add(node);
      }
    }
    return other;
  }

  /** The row of the node, once those of its children are complete. */
  private Row row(int node, boolean edited, List<Integer> children, TreeShape before) {
    Row row = before.rows[node].copy();
    boolean told = !edited;
    for (int child : children) {
      told = told && row.exchange(before.rows[child], rows[child]);
    }
    row = told ? row : summed(node);
    row.keepBack();
    return row;
  }

  private Row summed(int node) {
    Row row = new Row(specs[node].quotas(), form);
    for (int[] children : List.of(childQueues(node), childCohorts(node))) {
      for (int child : children) {
        row.join(rows[child]);
      }
    }
    return row;
  }

  /** Stands for its nodes and pairs and their numbers: the same one after edits of amounts. */
  public Object form() {
    return form;
  }

  /** Whether an edit has left the amounts of the node as they were. */
  boolean hasSameRow(int node, TreeShape before) {
    return rows[node] == before.rows[node];
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
    return rows[node].nominal(column);
  }

  /** The borrowing limit, or {@link Quota#NO_LIMIT}. */
  public long borrowingLimit(int node, int column) {
    return rows[node].borrowingLimit(column);
  }

  /** What the node and all below it own, less what those below keep for themselves. */
  public long subtreeQuota(int node, int column) {
    return rows[node].subtreeQuota(column);
  }

  /** What the node never lends. */
  public long localQuota(int node, int column) {
    return rows[node].localQuota(column);
  }

  /** The most that could ever be used at the node, with nothing in use anywhere. */
  public long potentialAvailable(int node, int column) {
    long own = 0;
    long least = Amounts.UNLIMITED;
    int at = node;
    for (; at != 0; at = parents[at]) {
      long limit = rows[at].borrowingLimit(column);
      if (limit != NO_LIMIT) {
        long most = Amounts.plus(rows[at].subtreeQuota(column), limit);
        least = Math.min(least, Amounts.plus(own, most));
      }
      own = Amounts.plus(own, rows[at].localQuota(column));
    }
    return Math.min(least, Amounts.plus(own, rows[0].subtreeQuota(column)));
  }

  /** Whether the node or one below it lists the pair. */
  public boolean lists(int node, int column) {
    return rows[node].lists(column);
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

  /** What the node's parent could ever give of the resource, over the pairs the root lists. */
  double lendable(int node, int resource) {
    @Nullable Lendable[] known = lendable;
    if (known == null) {
      known = new @Nullable Lendable[rows.length];
      lendable = known;
    }
    int cohort = parents[node];
    Lendable sums = known[cohort];
    if (sums == null) {
      sums = new Lendable(lendableBelow(cohort));
      known[cohort] = sums;
    }
    return sums.byResource[resource];
  }

  private double[] lendableBelow(int cohort) {
    long[] sums = new long[resources.length];
    for (int column = 0; column < columns.length; column++) {
      if (rows[0].lists(column)) {
        int resource = resourceOfColumn[column];
        sums[resource] = Amounts.plus(sums[resource], potentialAvailable(cohort, column));
      }
    }
    return Arrays.stream(sums).asDoubleStream().toArray();
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
