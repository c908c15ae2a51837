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
 * How a tree is built, amounts left aside: it outlives every change of quota. The arrays are not to
 * be changed.
 *
 * @param parents of each node; a parent comes before its children
 * @param childQueues of each node, in the order of their names
 * @param childCohorts of each node, in the order of their names
 * @param nodes the index of each node
 * @param columns the pairs the tree knows, in order
 * @param pairs the index of each column
 */
record TreeForm(
    int[] parents,
    int[][] childQueues,
    int[][] childCohorts,
    int[] heights,
    int[] depths,
    Map<NodeName, Integer> nodes,
    FlavorResource[] columns,
    Map<FlavorResource, Integer> pairs,
    String[] resources,
    int[] resourceOfColumn) {
  static TreeForm of(List<NodeSpec> ordered, int[] parents, Set<FlavorResource> extra) {
    FlavorResource[] columns = columns(ordered, extra);
    String[] resources =
        Arrays.stream(columns)
            .map(FlavorResource::resource)
            .distinct()
            .sorted()
            .toArray(String[]::new);
    return new TreeForm(
        parents,
        children(ordered, parents, true),
        children(ordered, parents, false),
        heights(parents),
        depths(parents),
        indexes(ordered.stream().map(NodeSpec::name).toList()),
        columns,
        indexes(List.of(columns)),
        resources,
        Arrays.stream(columns)
            .mapToInt(column -> Arrays.binarySearch(resources, column.resource()))
            .toArray());
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
}
