package dev.sluice.quota.topology.capacity;

import dev.sluice.api.core.Node;
import dev.sluice.api.core.Pod;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.request.Requests;
import dev.sluice.quota.topology.Levels;
import dev.sluice.quota.topology.PodPlacement;
import dev.sluice.quota.topology.domain.CapacityBucket;
import dev.sluice.quota.topology.domain.DomainForest;
import dev.sluice.quota.topology.domain.FlavorTopology;
import dev.sluice.quota.topology.node.NodeState;
import dev.sluice.quota.topology.node.NonTasUsage;
import dev.sluice.quota.topology.node.ResourceNumbers;
import dev.sluice.quota.world.WorkloadState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The nodes with the pods that topology-aware scheduling did not place, the domains that flavors
 * and topologies make of the nodes, and the places that workloads hold. Objects may arrive in any
 * order. Changes take effect at the next {@link #settle}; between two of those many threads may
 * search for places. For one thread otherwise.
 */
public final class TopologyCache {
  /**
   * The effect of changes.
   *
   * @param rebuilt the flavors that may have other domains, or nodes with other levels
   * @param roomier the flavors in whose domains there may be more room
   */
  public record Settled(Set<String> rebuilt, Set<String> roomier) {
    public Settled {
      rebuilt = Set.copyOf(rebuilt);
      roomier = Set.copyOf(roomier);
    }
  }

  private final ResourceNumbers resources;
  private PersistentMap<String, NodeState> nodes = PersistentMap.empty();
  private final NonTasUsage others;
  private final Map<String, ResourceFlavor> flavors = new TreeMap<>();
  private final Map<String, Topology> topologies = new HashMap<>();
  private final Map<String, FlavorTopology> sites = new TreeMap<>();
  private final CapacityBuckets bins;
  private final TopologyUsage room;
  private final TopologyUsage empty = new TopologyUsage(this, null);
  private final HeldPlaces held;
  private final Set<String> stale = new TreeSet<>();
  private final Set<String> relabelled = new TreeSet<>();
  private final Set<String> changed = new TreeSet<>();

  /**
   * Nothing is known yet.
   *
   * @param sharesHosts whether a node that several flavors have is the same place for all of them
   */
  public TopologyCache(boolean sharesHosts) {
    this.resources = new ResourceNumbers();
    this.others = new NonTasUsage(resources, this::recount);
    this.room = new TopologyUsage(this, null);
    this.bins = new CapacityBuckets(sharesHosts, resources);
    this.held = new HeldPlaces(bins, room, others, sites.values(), changed::add);
  }

  private TopologyCache(TopologyCache other) {
    this.resources = other.resources; // only grows
    this.nodes = other.nodes;
    this.others = other.others.fork(this::recount);
    this.flavors.putAll(other.flavors);
    this.topologies.putAll(other.topologies);
    this.room = other.room.of(this);
    other.sites.forEach((flavor, site) -> sites.put(flavor, site.fork()));
    this.bins = other.bins.fork();
    this.held = other.held.fork(bins, room, others, sites.values(), changed::add);
    this.stale.addAll(other.stale);
    this.relabelled.addAll(other.relabelled);
    this.changed.addAll(other.changed);
  }

  /** A copy with the same nodes and places that changes independently. Costs the domains. */
  public TopologyCache fork() {
    return new TopologyCache(this);
  }

  public ResourceNumbers resources() {
    return resources;
  }

  /** What the nodes have, by flavor and domain, as it is now; not to be used after a change. */
  public TopologyView view() {
    return new TopologyView(this, nodes, flavors, topologies, bins);
  }

  /** Whether no flavor has a topology, so that pods may run anywhere. */
  public boolean isUnused() {
    return sites.isEmpty();
  }

  /** The room that the workloads leave. Changes with {@link #hold}. */
  public TopologyUsage topologyUsage() {
    return room;
  }

  /** A what-if in which no workload holds anything. */
  public TopologyUsage emptyTopologyUsage() {
    return empty.fork();
  }

  /** Takes a node that was added or changed, or removes it where it is null. */
  public void putNode(String name, @Nullable Node node) {
    if (node == null) {
      removeNode(name);
    } else {
      put(node);
    }
  }

  private void put(Node node) {
    NodeState known = nodes.find(node.metadata().name());
    if (known == null) {
      markLabels(keep(node));
    } else if (!alike(known.node(), node)) {
      change(known, node);
    }
  }

  private static boolean alike(Node a, Node b) {
    return a.metadata().labels().equals(b.metadata().labels())
        && a.spec().equals(b.spec())
        && a.status().equals(b.status());
  }

  private void change(NodeState node, Node to) {
    if (node.node().metadata().labels().equals(to.metadata().labels())) {
      refresh(keep(to));
    } else {
      markLabels(node);
      markLabels(keep(to));
    }
  }

  private NodeState keep(Node node) {
    return keep(new NodeState(node, resources, others.taken(node.metadata().name())));
  }

  private NodeState keep(NodeState node) {
    nodes = nodes.with(node.name(), node);
    return node;
  }

  /** Pods on the node changed that are not ours. */
  private void recount(String node) {
    NodeState known = nodes.find(node);
    if (known != null) {
      refresh(keep(known.withTaken(others.taken(node))));
    }
  }

  private void refresh(NodeState node) {
    for (FlavorTopology site : sites.values()) {
      CapacityBucket bin =
          !stale.contains(site.name()) && FlavorNodes.isMember(node, site.flavor(), site.levels())
              ? site.forest().binOf(node)
              : null;
      if (bin != null) {
        site.forest().refresh(bin, nodes::find);
        room.note(bin);
        empty.note(bin);
      }
    }
    markMembers(node, changed);
  }

  /** A node with these labels was added or removed, if it belongs to a flavor. */
  private void markLabels(NodeState node) {
    markMembers(node, stale);
    Map<String, String> labels = node.node().metadata().labels();
    for (ResourceFlavor flavor : flavors.values()) {
      if (flavor.spec().topologyName() != null && FlavorNodes.hasLabels(labels, flavor)) {
        relabelled.add(flavor.metadata().name());
      }
    }
  }

  /** Notes the flavors that the node belongs to. */
  private void markMembers(NodeState node, Set<String> marked) {
    for (ResourceFlavor flavor : flavors.values()) {
      Levels levels = levels(flavor);
      if (levels != null && FlavorNodes.isMember(node, flavor, levels)) {
        marked.add(flavor.metadata().name());
      }
    }
  }

  private @Nullable Levels levels(ResourceFlavor flavor) {
    String name = flavor.spec().topologyName();
    Topology topology = name == null ? null : topologies.get(name);
    return topology == null ? null : Levels.of(topology);
  }

  private void removeNode(String name) {
    NodeState node = nodes.find(name);
    if (node != null) {
      nodes = nodes.without(name);
      markLabels(node);
    }
  }

  /**
   * Takes a pod that was added or changed, or removes it where it is null. A pod counts while it is
   * on a node and has not ended. One that topology-aware scheduling placed counts only as far as
   * its Workload does not hold the place.
   */
  public void putPod(ObjectKey key, @Nullable Pod pod) {
    if (pod == null) {
      others.remove(key);
    } else {
      others.put(pod);
    }
  }

  /** The flavor is now so, or gone. */
  public void put(String name, @Nullable ResourceFlavor flavor) {
    ResourceFlavor before = flavor == null ? flavors.remove(name) : flavors.put(name, flavor);
    boolean placed =
        (before != null && before.spec().topologyName() != null)
            || (flavor != null && flavor.spec().topologyName() != null);
    if (placed && (before == null || flavor == null || !before.spec().equals(flavor.spec()))) {
      stale.add(name);
    }
  }

  /** The topology is now so, or gone. */
  public void put(String name, @Nullable Topology topology) {
    Topology before = topology == null ? topologies.remove(name) : topologies.put(name, topology);
    if (before == null || topology == null || !before.spec().equals(topology.spec())) {
      for (ResourceFlavor flavor : flavors.values()) {
        if (name.equals(flavor.spec().topologyName())) {
          stale.add(flavor.metadata().name());
        }
      }
    }
  }

  /**
   * The workload holds the places that its admission names, or none. Impossible places are not
   * held, so that a wrong stored assignment takes no room from others.
   *
   * @param open whether the admission may turn out not to be stored: then it also keeps its former
   *     places, so that no other workload gets them
   */
  public void hold(WorkloadState workload, boolean open) {
    held.hold(workload, open);
  }

  /** One sentence for each domain that a workload was placed in beyond what its nodes have. */
  public List<String> overbooked() {
    return held.overbooked();
  }

  /** The workload releases its places. */
  public void release(ObjectKey workload) {
    held.release(workload);
  }

  Collection<Taking> heldBy(ObjectKey workload) {
    return held.by(workload);
  }

  List<Taking> takings(String flavor, PodPlacement placement, Requests perPod) {
    return bins.takings(flavor, placement, perPod);
  }

  /**
   * Builds the domains that changes have touched.
   *
   * @return what may be otherwise than at the last time
   */
  public Settled settle() {
    others.settle(held::on);
    relabelled.addAll(stale);
    if (!stale.isEmpty()) {
      stale.forEach(this::rebuild);
      changed.addAll(stale);
      stale.clear();
      room.forget();
      empty.forget();
      bins.forget(sites.values(), room);
    }
    var settled = new Settled(relabelled, changed);
    relabelled.clear();
    changed.clear();
    return settled;
  }

  private void rebuild(String name) {
    sites.remove(name);
    ResourceFlavor flavor = flavors.get(name);
    Levels levels = flavor == null ? null : levels(flavor);
    String topology = flavor == null ? null : flavor.spec().topologyName();
    if (flavor == null || levels == null || topology == null) {
      return;
    }
    List<NodeState> members = new ArrayList<>();
    for (NodeState node : nodes.values()) {
      if (FlavorNodes.isMember(node, flavor, levels)) {
        members.add(node);
      }
    }
    List<String> stored = levels.endAtHosts() ? List.of(Levels.HOSTNAME) : levels.labels();
    DomainForest forest = DomainForest.of(levels, members, values -> bins.of(name, stored, values));
    sites.put(name, new FlavorTopology(flavor, topology, forest));
  }

  /** The flavor's domains, or null where it has no topology that can be used. */
  public @Nullable FlavorTopology find(String flavor) {
    return sites.get(flavor);
  }

  /**
   * The sentence about a level that no node of the flavor has, though the flavor has nodes; null
   * where nodes have all levels, or this cannot be decided.
   */
  public @Nullable String unknownLevel(ResourceFlavor flavor, Topology topology) {
    return FlavorNodes.unknownLevel(nodes.values(), flavor, topology);
  }
}
