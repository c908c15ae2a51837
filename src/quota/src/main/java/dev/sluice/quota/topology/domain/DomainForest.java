package dev.sluice.quota.topology.domain;

import dev.sluice.quota.topology.Levels;
import dev.sluice.quota.topology.node.NodeFilter;
import dev.sluice.quota.topology.node.NodeState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The domains of one flavor's nodes. Which domains there are never changes; what is free in them
 * does.
 */
// Domains have numbers by level, in the order of their values from the widest level down. So the
// children of a domain, and the leaves below it, are a range of numbers, and the smaller number
// comes first wherever the values decide.
public final class DomainForest {
  public static final int NOWHERE = -1;

  private static final int MOST_FILTERS = 64;

  static final Comparator<List<String>> BY_PATH = DomainForest::compare;

  private final Levels levels;
  private final Leaf[] leaves;
  private final int[][] parents;
  private final int[][] firstChild;
  private final int[][] firstLeaf;
  private final Map<List<String>, Integer> byName;
  private final Map<CapacityBucket, Integer> byBin;
  private volatile int changes; // read by trees that are searched beside each other
  private final Map<NodeFilter, BitSet> open = new LruMap<>(MOST_FILTERS);

  private DomainForest(Levels levels, List<Leaf> leaves) {
    this.levels = levels;
    this.leaves = leaves.toArray(Leaf[]::new);
    this.byName = new HashMap<>();
    this.byBin = new HashMap<>();
    int depth = levels.count();
    this.parents = new int[depth][];
    this.firstChild = new int[depth][];
    this.firstLeaf = new int[depth][];
    for (int leaf = 0; leaf < leaves.size(); leaf++) {
      byName.put(stored(leaves.get(leaf).path()), leaf);
      byBin.put(leaves.get(leaf).bin(), leaf);
    }
    number();
  }

  /** Shares what never changes. */
  private DomainForest(DomainForest other) {
    this.levels = other.levels;
    this.leaves = other.leaves.clone();
    this.byName = other.byName;
    this.byBin = other.byBin;
    this.parents = other.parents;
    this.firstChild = other.firstChild;
    this.firstLeaf = other.firstLeaf;
  }

  /** The same domains, in which other amounts may become free than in these. */
  public DomainForest fork() {
    return new DomainForest(this);
  }

  /**
   * The forest of these nodes, each of which has all the labels.
   *
   * @param bins the bin of a leaf, by its stored values
   */
  public static DomainForest of(
      Levels levels, Iterable<NodeState> nodes, Function<List<String>, CapacityBucket> bins) {
    Map<List<String>, List<String>> pathOf = new HashMap<>();
    Map<List<String>, List<NodeState>> members = new TreeMap<>(BY_PATH);
    for (NodeState node : nodes) {
      List<String> path = path(levels, node);
      // a hostname is one domain, whatever else a second node of that name says
      List<String> known = pathOf.putIfAbsent(stored(levels, path), path);
      members.computeIfAbsent(known == null ? path : known, _ -> new ArrayList<>()).add(node);
    }
    List<Leaf> leaves = new ArrayList<>();
    members.forEach(
        (path, own) -> leaves.add(new Leaf(path, own, bins.apply(stored(levels, path)))));
    return new DomainForest(levels, leaves);
  }

  private static List<String> path(Levels levels, NodeState node) {
    return levels.labels().stream().map(node.node().metadata().labels()::get).toList();
  }

  private static int compare(List<String> a, List<String> b) {
    for (int i = 0; i < a.size(); i++) {
      int order = a.get(i).compareTo(b.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private void number() {
    int lowest = levels.lowest();
    int[] domain = new int[leaves.length]; // of each leaf, at the level at hand
    for (int level = lowest; level >= 0; level--) {
      Map<List<String>, Integer> numbers = new LinkedHashMap<>();
      List<Integer> starts = new ArrayList<>();
      int[] own = new int[leaves.length];
      for (int leaf = 0; leaf < own.length; leaf++) {
        List<String> prefix = leaves[leaf].path().subList(0, level + 1);
        Integer number = numbers.putIfAbsent(prefix, numbers.size());
        if (number == null) {
          starts.add(leaf);
        }
        own[leaf] = numbers.size() - 1;
      }
      firstLeaf[level] = ends(starts, own.length);
      if (level < lowest) {
        link(level, own, domain);
      }
      domain = own;
    }
    parents[0] = new int[0];
    firstChild[lowest] = new int[0];
  }

  private static int[] ends(List<Integer> starts, int end) {
    int[] bounds = new int[starts.size() + 1];
    for (int i = 0; i < starts.size(); i++) {
      bounds[i] = starts.get(i);
    }
    bounds[starts.size()] = end;
    return bounds;
  }

  private void link(int level, int[] own, int[] below) {
    int children = size(level + 1);
    parents[level + 1] = new int[children];
    firstChild[level] = new int[size(level) + 1];
    firstChild[level][size(level)] = children;
    for (int leaf = own.length - 1; leaf >= 0; leaf--) {
      parents[level + 1][below[leaf]] = own[leaf];
      firstChild[level][own[leaf]] = below[leaf];
    }
  }

  public Levels levels() {
    return levels;
  }

  /** How many domains the level has. */
  public int size(int level) {
    return firstLeaf[level].length - 1;
  }

  public int parent(int level, int domain) {
    return parents[level][domain];
  }

  /** The first child of the domain; those of the next domain follow its last one. */
  public int firstChild(int level, int domain) {
    return firstChild[level][domain];
  }

  /** The first leaf of the domain; those of the next domain follow its last one. */
  public int firstLeaf(int level, int domain) {
    return firstLeaf[level][domain];
  }

  /** The domain of the level that the leaf is in. */
  public int domainOf(int level, int leaf) {
    int domain = leaf;
    for (int at = levels.lowest(); at > level; at--) {
      domain = parents[at][domain];
    }
    return domain;
  }

  public Leaf leaf(int number) {
    return leaves[number];
  }

  /** In the order of their numbers; a live view. */
  public List<Leaf> leaves() {
    return Collections.unmodifiableList(Arrays.asList(leaves));
  }

  /** The leaf with that bin, or {@link #NOWHERE}. */
  public int leafOf(CapacityBucket bin) {
    return byBin.getOrDefault(bin, NOWHERE);
  }

  /** The usable leaf that the values name, as an assignment with those levels does. */
  public int leafOf(List<String> assignmentLevels, List<String> values) {
    if (assignmentLevels.size() != values.size() || values.isEmpty()) {
      return NOWHERE;
    }
    List<String> name =
        levels.endAtHosts() ? List.of(values.getLast()) : whole(assignmentLevels, values);
    Integer leaf = name == null ? null : byName.get(name);
    boolean sameLowest = levels.labels().getLast().equals(assignmentLevels.getLast());
    return leaf == null || !sameLowest || !leaves[leaf].usable() ? NOWHERE : leaf;
  }

  private @Nullable List<String> whole(List<String> assignmentLevels, List<String> values) {
    return assignmentLevels.equals(levels.labels()) ? values : null;
  }

  /** The levels that an assignment names: all of them, or the hostname alone. */
  public List<String> storedLevels() {
    return stored(levels, levels.labels());
  }

  private List<String> stored(List<String> path) {
    return stored(levels, path);
  }

  private static List<String> stored(Levels levels, List<String> path) {
    return levels.endAtHosts() ? List.of(path.getLast()) : path;
  }

  /** The domain as people name it. */
  public String name(int level, int domain) {
    return String.join("/", path(level, domain));
  }

  /** The values of the domain, from the widest level down to its own. */
  public List<String> path(int level, int domain) {
    return leaves[firstLeaf[level][domain]].path().subList(0, level + 1);
  }

  /** The values with which an assignment names the leaf. */
  public List<String> storedValues(int leaf) {
    return stored(leaves[leaf].path());
  }

  /** Sums up the leaf with that bucket again, with its nodes as they are now. */
  public synchronized void refresh(
      CapacityBucket bin, Function<String, @Nullable NodeState> nodes) {
    int leaf = leafOf(bin);
    if (leaf != NOWHERE) {
      leaves[leaf] = leaves[leaf].refreshed(nodes);
      open.forEach((filter, bits) -> bits.set(leaf, passes(filter, leaf)));
      changes++;
    }
  }

  public @Nullable CapacityBucket binOf(NodeState node) {
    Integer leaf = byName.get(stored(path(levels, node)));
    return leaf == null ? null : leaves[leaf].bin();
  }

  /** How often leaves were summed up again; what {@link #open} gave before may be outdated. */
  public int changes() {
    return changes;
  }

  /**
   * The leaves whose node passes the filter; all of them where a leaf has more than one node. A
   * view of the nodes as they are until the next change; must not be modified.
   */
  public synchronized BitSet open(NodeFilter filter) {
    BitSet known = open.get(filter);
    if (known == null) {
      known = new BitSet(leaves.length);
      for (int leaf = 0; leaf < leaves.length; leaf++) {
        known.set(leaf, passes(filter, leaf));
      }
      open.put(filter, known);
    }
    return known;
  }

  private boolean passes(NodeFilter filter, int leaf) {
    return !levels.endAtHosts() || filter.exclusion(leaves[leaf].node()) == null;
  }
}
