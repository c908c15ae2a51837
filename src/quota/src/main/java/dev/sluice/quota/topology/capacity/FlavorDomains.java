package dev.sluice.quota.topology.capacity;

import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.request.Requests;
import dev.sluice.quota.topology.domain.DomainForest;
import dev.sluice.quota.topology.domain.FlavorTopology;
import dev.sluice.quota.topology.domain.Leaf;
import dev.sluice.quota.topology.node.NodeFilter;
import dev.sluice.quota.topology.node.NodeState;
import dev.sluice.quota.topology.node.ResourceNumbers;
import dev.sluice.quota.world.Taints;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The domains of one flavor: a view of a cache, valid until that changes. For one thread. */
public final class FlavorDomains {
  private final TopologyCache cache;
  private final PersistentMap<String, NodeState> nodes;
  private final FlavorTopology site;

  FlavorDomains(TopologyCache cache, PersistentMap<String, NodeState> nodes, FlavorTopology site) {
    this.cache = cache;
    this.nodes = nodes;
    this.site = site;
  }

  /** The labels of the levels, the widest first. */
  public List<String> levels() {
    return site.levels().labels();
  }

  /**
   * The domains of that level within a wider one, in the order of their values.
   *
   * @param level from 0, and below that of {@code under}
   * @param under the values of the wider domain; empty for all
   * @param gangs the pods that are to fit, or null
   * @param failed the names of nodes that count as failed
   */
  public List<DomainRoom> below(
      int level, List<String> under, @Nullable Gang gangs, Set<String> failed) {
    DomainForest forest = site.forest();
    DomainCapacity counts =
        gangs == null
            ? null
            : cache
                .topologyUsage()
                .counted(forest, profile(gangs.each()), 0, forest.leaves().size());
    List<DomainRoom> found = new ArrayList<>();
    for (int domain = 0; domain < forest.size(level); domain++) {
      List<String> path = forest.path(level, domain);
      if (path.subList(0, under.size()).equals(under)) {
        DomainRoom room = new DomainRoom(path, cache.resources());
        for (int leaf = forest.firstLeaf(level, domain);
            leaf < forest.firstLeaf(level, domain + 1);
            leaf++) {
          add(forest.leaf(leaf), room, failed);
        }
        if (gangs != null && counts != null) {
          room.fits(counts.pods(level, domain) / gangs.pods());
        }
        found.add(room);
      }
    }
    return found;
  }

  /** As placement judges pods that tolerate nothing but what the flavor does. */
  private Profile profile(Requests each) {
    NodeFilter filter =
        site.levels().endAtHosts()
            ? new NodeFilter(Map.of(), null, site.flavor().spec().tolerations(), List.of())
            : NodeFilter.ANY_NODE;
    int depth = site.levels().count();
    Slices single = new Slices(site.levels().lowest(), 1, Collections.nCopies(depth, 1L));
    return new Profile(ResourceNumbers.perPod(each), null, filter, single);
  }

  private void add(Leaf leaf, DomainRoom room, Set<String> failed) {
    long[] ours = cache.topologyUsage().taken(leaf.bin());
    if (leaf.usable()) {
      room.addFree(ResourceNumbers.positive(ResourceNumbers.plus(leaf.free(), ours, -1)));
    }
    room.addUsed(ours);
    for (NodeState node : nodesOf(leaf)) {
      room.addNode(
          node,
          failed.contains(node.name()),
          Taints.firstRepelling(node.node().spec().taints(), site.flavor().spec().tolerations())
              != null);
    }
  }

  private List<NodeState> nodesOf(Leaf leaf) {
    List<NodeState> states = new ArrayList<>();
    for (String name : leaf.nodeNames()) {
      NodeState state = nodes.find(name);
      if (state != null) {
        states.add(state);
      }
    }
    return states;
  }
}
