package dev.sluice.quota.tree;

import dev.sluice.quota.amount.FlavorResource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * How a tree is built, amounts left aside: it outlives every change of quota. Immutable; the arrays
 * it hands out are not to be changed.
 */
final class TreeForm {
  private final int[] parents;
  private final int[][] childQueues;
  private final int[][] childCohorts;
  private final int[] heights;
  private final int[] depths;
  private final Map<NodeName, Integer> nodes;
  private final FlavorResource[] columns;
  private final Map<FlavorResource, Integer> pairs;
  private final Set<FlavorResource> allPairs;
  private final String[] resources;
  private final int[] resourceOfColumn;

  /**
   * @param ordered the nodes, parents before children
   * @param parents the index of each node's parent
   * @param extra pairs in use that no quota names
   */
  TreeForm(List<NodeSpec> ordered, int[] parents, Set<FlavorResource> extra) {
    this.parents = parents;
    this.childQueues = children(ordered, parents, true);
    this.childCohorts = children(ordered, parents, false);
    this.heights = heights(parents);
    this.depths = depths(parents);
    this.nodes = indexes(ordered.stream().map(NodeSpec::name).toList());
    this.columns = columns(ordered, extra);
    this.pairs = indexes(List.of(columns));
    this.allPairs = Set.of(columns);
    this.resources =
        Arrays.stream(columns)
            .map(FlavorResource::resource)
            .distinct()
            .sorted()
            .toArray(String[]::new);
    this.resourceOfColumn =
        Arrays.stream(columns)
            .mapToInt(column -> Arrays.binarySearch(resources, column.resource()))
            .toArray();
  }

  private static <T> Map<T, Integer> indexes(List<T> ordered) {
    Map<T, Integer> indexes = HashMap.newHashMap(ordered.size());
    for (int i = 0; i < ordered.size(); i++) {
      indexes.put(ordered.get(i), i);
    }
    return indexes;
  }

  private static int[][] children(List<NodeSpec> ordered, int[] parents, boolean queues) {
    List<List<Integer>> lists = new ArrayList<>();
    for (int node = 0; node < parents.length; node++) {
      lists.add(new ArrayList<>());
      if (node > 0 && ordered.get(node).name().isClusterQueue() == queues) {
        lists.get(parents[node]).add(node);
      }
    }
    return lists.stream()
        .map(l -> l.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  private static int[] heights(int[] parents) {
    int[] result = new int[parents.length];
    for (int node = parents.length - 1; node > 0; node--) {
      result[parents[node]] = Math.max(result[parents[node]], result[node] + 1);
    }
    return result;
  }

  private static int[] depths(int[] parents) {
    int[] result = new int[parents.length];
    for (int node = 1; node < parents.length; node++) {
      result[node] = result[parents[node]] + 1;
    }
    return result;
  }

  private static FlavorResource[] columns(List<NodeSpec> ordered, Set<FlavorResource> extra) {
    TreeSet<FlavorResource> all = new TreeSet<>(extra);
    for (NodeSpec spec : ordered) {
      all.addAll(spec.quotas().keySet());
    }
    return all.toArray(FlavorResource[]::new);
  }

  int[] parents() {
    return parents;
  }

  /** Of each node, in the order of their names. */
  int[][] childQueues() {
    return childQueues;
  }

  /** Of each node, in the order of their names. */
  int[][] childCohorts() {
    return childCohorts;
  }

  int[] heights() {
    return heights;
  }

  int[] depths() {
    return depths;
  }

  /** The index of each node. */
  Map<NodeName, Integer> nodes() {
    return nodes;
  }

  /** The pairs the tree knows, in order. */
  FlavorResource[] columns() {
    return columns;
  }

  /** The index of each column. */
  Map<FlavorResource, Integer> pairs() {
    return pairs;
  }

  /** The pairs the tree knows. */
  Set<FlavorResource> allPairs() {
    return allPairs;
  }

  String[] resources() {
    return resources;
  }

  int[] resourceOfColumn() {
    return resourceOfColumn;
  }
}
