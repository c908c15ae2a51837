package dev.sluice.quota.topology.capacity;

import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.topology.Levels;
import dev.sluice.quota.topology.domain.DomainForest;
import dev.sluice.quota.topology.domain.FlavorTopology;
import dev.sluice.quota.topology.node.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What nodes have, by flavor and domain: a view of a cache, valid until that changes. For one
 * thread.
 */
public final class TopologyView {
  private static final Levels HOSTS = new Levels(List.of(Levels.HOSTNAME));

  private final TopologyCache cache;
  private final PersistentMap<String, NodeState> nodes;
  private final Map<String, ResourceFlavor> flavors;
  private final Map<String, Topology> topologies;
  private final CapacityBuckets bins;

  TopologyView(
      TopologyCache cache,
      PersistentMap<String, NodeState> nodes,
      Map<String, ResourceFlavor> flavors,
      Map<String, Topology> topologies,
      CapacityBuckets bins) {
    this.cache = cache;
    this.nodes = nodes;
    this.flavors = flavors;
    this.topologies = topologies;
    this.bins = bins;
  }

  /**
   * A flavor and its nodes.
   *
   * @param topology the one that it names, or null
   * @param levels the labels of its domains, the widest first; the hostname alone without a
   *     topology; empty where there is a problem
   * @param nodes how many nodes it has, in all of its domains
   * @param resources what these nodes have, in order
   * @param problem why its nodes cannot be shown by domain, or null
   */
  public record FlavorSummary(
      String flavor,
      @Nullable String topology,
      List<String> levels,
      int nodes,
      List<String> resources,
      @Nullable String problem) {
    public FlavorSummary {
      levels = List.copyOf(levels);
      resources = List.copyOf(resources);
    }
  }

  /** How many nodes there are, of whatever flavor. */
  public int nodes() {
    return nodes.size();
  }

  /** The names of all topologies, in order. */
  public List<String> topologies() {
    return List.copyOf(new TreeSet<>(topologies.keySet()));
  }

  /** All flavors, in the order of their names. */
  public List<FlavorSummary> flavors() {
    List<FlavorSummary> found = new ArrayList<>();
    flavors.forEach((name, flavor) -> found.add(summary(name, flavor)));
    return found;
  }

  private FlavorSummary summary(String name, ResourceFlavor flavor) {
    Levels levels = levels(flavor);
    String topology = flavor.spec().topologyName();
    if (levels == null) {
      return new FlavorSummary(name, topology, List.of(), 0, List.of(), problem(flavor));
    }
    List<NodeState> members = members(flavor, levels);
    Set<String> resources = new TreeSet<>();
    members.forEach(it -> resources.addAll(it.node().status().allocatable().keySet()));
    return new FlavorSummary(
        name, topology, levels.labels(), members.size(), List.copyOf(resources), problem(flavor));
  }

  private @Nullable String problem(ResourceFlavor flavor) {
    String name = flavor.spec().topologyName();
    Topology topology = name == null ? null : topologies.get(name);
    if (name == null) {
      return null;
    }
    if (topology == null) {
      return "Topology " + name + " does not exist";
    }
    String wrong = Levels.problem(topology);
    return wrong == null ? cache.unknownLevel(flavor, topology) : wrong;
  }

  /** The levels of its domains; hosts where it has no topology; null where its topology is none. */
  private @Nullable Levels levels(ResourceFlavor flavor) {
    String name = flavor.spec().topologyName();
    Topology topology = name == null ? null : topologies.get(name);
    return name == null ? HOSTS : topology == null ? null : Levels.of(topology);
  }

  private List<NodeState> members(ResourceFlavor flavor, Levels levels) {
    List<NodeState> members = new ArrayList<>();
    for (NodeState node : nodes.values()) {
      if (FlavorNodes.isMember(node, flavor, levels)) {
        members.add(node);
      }
    }
    return members;
  }

  /** The domains of the flavor; null for an unknown one, and where its topology is none. */
  public @Nullable FlavorDomains flavor(String name) {
    ResourceFlavor flavor = flavors.get(name);
    if (flavor == null) {
      return null;
    }
    FlavorTopology site =
        flavor.spec().topologyName() == null ? ofHosts(name, flavor) : cache.find(name);
    return site == null ? null : new FlavorDomains(cache, nodes, site);
  }

  private FlavorTopology ofHosts(String name, ResourceFlavor flavor) {
    DomainForest forest =
        DomainForest.of(
            HOSTS, members(flavor, HOSTS), values -> bins.of(name, HOSTS.labels(), values));
    return new FlavorTopology(flavor, "", forest);
  }
}
