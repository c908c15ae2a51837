package dev.sluice.quota.topology.capacity;

import dev.sluice.api.core.Node;
import dev.sluice.api.core.Pod;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.quota.request.Requests;
import dev.sluice.quota.topology.AssignmentCodec;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
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

  /** Amounts taken of a bin. */
  static final class Taking {
    private final CapacityBucket bin;
    private final long[] amounts;

    Taking(CapacityBucket bin, long[] amounts) {
      this.bin = bin;
      this.amounts = amounts;
    }

    CapacityBucket bin() {
      return bin;
    }

    /** By the numbers of resources. Not to be changed. */
    long[] amounts() {
      return amounts;
    }
  }

  /**
   * The places of a workload, with its admission.
   *
   * @param counts the requested pods of each PodSet, which may be fewer than were admitted
   * @param givesWay whether it was evicted
   * @param moving whether it also holds its former places
   */
  record Holding(
      Admission admission,
      List<Integer> counts,
      List<Taking> takings,
      Set<String> flavors,
      boolean givesWay,
      boolean moving) {

    private boolean isFor(@Nullable Admission other, List<Integer> otherCounts) {
      return admission.equals(other) && counts.equals(otherCounts);
    }

    private Holding givingWay(boolean gives) {
      return new Holding(admission, counts, takings, flavors, gives, moving);
    }
  }

  private final boolean sharesHosts;
  private final ResourceNumbers resources = new ResourceNumbers();
  private final Map<String, NodeState> nodes = new TreeMap<>();
  private final NonTasUsage others = new NonTasUsage(resources, nodes, this::refresh);
  private final Map<String, ResourceFlavor> flavors = new TreeMap<>();
  private final Map<String, Topology> topologies = new HashMap<>();
  private final Map<String, FlavorTopology> sites = new TreeMap<>();
  private final Map<CapacityBucket.Name, CapacityBucket> bins = new HashMap<>();
  private final Map<ObjectKey, Holding> held = new HashMap<>();
  private final Map<ObjectKey, ObjectKey> firsts = new HashMap<>();
  private final Map<ObjectKey, Set<ObjectKey>> successors = new HashMap<>();
  private final TopologyUsage room = new TopologyUsage(this, null);
  private final TopologyUsage empty = new TopologyUsage(this, null);
  private final Overbookings overbookings = new Overbookings(sites.values(), room, held.values());
  private final Set<String> stale = new TreeSet<>();
  private final Set<String> relabelled = new TreeSet<>();
  private final Set<String> changed = new TreeSet<>();

  /**
   * Nothing is known yet.
   *
   * @param sharesHosts whether a node that several flavors have is the same place for all of them
   */
  public TopologyCache(boolean sharesHosts) {
    this.sharesHosts = sharesHosts;
  }

  public ResourceNumbers resources() {
    return resources;
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
    NodeState known = nodes.get(node.metadata().name());
    if (known == null) {
      var state = new NodeState(node, resources);
      others.joinAll(state);
      nodes.put(state.name(), state);
      markLabels(state);
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
      node.set(to);
      refresh(node);
    } else {
      markLabels(node);
      node.set(to);
      markLabels(node);
    }
  }

  private void refresh(NodeState node) {
    for (FlavorTopology site : sites.values()) {
      CapacityBucket bin =
          !stale.contains(site.name()) && isMember(node, site.flavor(), site.levels())
              ? site.forest().binOf(node)
              : null;
      if (bin != null) {
        site.forest().refresh(bin);
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
      if (flavor.spec().topologyName() != null && hasLabels(labels, flavor)) {
        relabelled.add(flavor.metadata().name());
      }
    }
  }

  /** Notes the flavors that the node belongs to. */
  private void markMembers(NodeState node, Set<String> marked) {
    for (ResourceFlavor flavor : flavors.values()) {
      Levels levels = levels(flavor);
      if (levels != null && isMember(node, flavor, levels)) {
        marked.add(flavor.metadata().name());
      }
    }
  }

  private static boolean isMember(NodeState node, ResourceFlavor flavor, Levels levels) {
    Map<String, String> labels = node.node().metadata().labels();
    return labels.keySet().containsAll(levels.labels()) && hasLabels(labels, flavor);
  }

  private static boolean hasLabels(Map<String, String> labels, ResourceFlavor flavor) {
    return labels.entrySet().containsAll(flavor.spec().nodeLabels().entrySet());
  }

  private @Nullable Levels levels(ResourceFlavor flavor) {
    String name = flavor.spec().topologyName();
    Topology topology = name == null ? null : topologies.get(name);
    return topology == null ? null : Levels.of(topology);
  }

  private void removeNode(String name) {
    NodeState node = nodes.remove(name);
    if (node != null) {
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

  /** What the workload, or those that took over from it, hold on the host. */
  private long @Nullable [] heldOn(ObjectKey workload, String host) {
    long[] sum = null;
    for (ObjectKey holder : successors.getOrDefault(workload, Set.of(workload))) {
      for (Taking taking : heldBy(holder)) {
        if (taking.bin().name().values().getLast().equals(host)) {
          sum = ResourceNumbers.plus(sum == null ? new long[0] : sum, taking.amounts(), 1);
        }
      }
    }
    return sum;
  }

  /** The pods of a job that grew run in the places of whichever of its workloads holds some. */
  private void join(WorkloadState workload) {
    ObjectKey first = workload.namedByPods();
    if (!first.equals(workload.key())) {
      firsts.put(workload.key(), first);
      successors.computeIfAbsent(first, _ -> new TreeSet<>(Set.of(first))).add(workload.key());
      others.held(first);
    }
  }

  /** What the others hold whose pods are those of the workload, too. */
  private List<Taking> heldByRow(WorkloadState workload) {
    ObjectKey first = workload.namedByPods();
    List<Taking> all = new ArrayList<>();
    for (ObjectKey holder : successors.getOrDefault(first, Set.of(first))) {
      if (!holder.equals(workload.key())) {
        all.addAll(heldBy(holder));
      }
    }
    return all;
  }

  private void part(ObjectKey workload) {
    ObjectKey first = firsts.remove(workload);
    Set<ObjectKey> all = first == null ? null : successors.get(first);
    if (first != null && all != null && all.remove(workload)) {
      if (all.equals(Set.of(first))) {
        successors.remove(first);
      }
      others.held(first);
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
    Admission admission = workload.holdsQuota() ? workload.admission() : null;
    Holding before = held.get(workload.key());
    List<Integer> counts = counts(workload);
    boolean settled = before != null && before.moving() && !open;
    if (before != null && !settled && before.isFor(admission, counts)) {
      if (before.givesWay() != workload.evicted()) {
        held.put(workload.key(), before.givingWay(workload.evicted()));
      }
      return;
    }
    release(workload.key());
    if (admission != null) {
      List<Taking> takings = takings(workload, admission);
      if (!takings.isEmpty()) {
        Set<String> names = new TreeSet<>();
        admission.podSetAssignments().forEach(a -> names.addAll(a.flavors().values()));
        List<Taking> left = open && before != null ? before.takings() : List.of();
        boolean moving = !left.isEmpty();
        takings = moving ? most(takings, left) : takings;
        held.put(
            workload.key(),
            new Holding(admission, counts, takings, names, workload.evicted(), moving));
        join(workload);
        takings.forEach(t -> room.add(t.bin(), t.amounts(), 1));
        List<Taking> had = new ArrayList<>(before == null ? List.of() : before.takings());
        had.addAll(heldByRow(workload));
        overbookings.look(workload.key(), takings, had);
      }
    }
  }

  private static List<Integer> counts(WorkloadState workload) {
    return workload.workload().spec().podSets().stream().map(PodSet::count).toList();
  }

  /** What is enough for either, place by place. */
  private static List<Taking> most(List<Taking> some, List<Taking> others) {
    Map<CapacityBucket, long[]> sums = new LinkedHashMap<>();
    some.forEach(t -> sums.merge(t.bin(), t.amounts(), (a, b) -> ResourceNumbers.plus(a, b, 1)));
    Map<CapacityBucket, long[]> beside = new LinkedHashMap<>();
    others.forEach(
        t -> beside.merge(t.bin(), t.amounts(), (a, b) -> ResourceNumbers.plus(a, b, 1)));
    List<Taking> all = new ArrayList<>(some);
    beside.forEach(
        (bin, amounts) -> {
          long[] known = sums.getOrDefault(bin, new long[0]);
          long[] missing = ResourceNumbers.positive(ResourceNumbers.plus(amounts, known, -1));
          if (!ResourceNumbers.isZero(missing)) {
            all.add(new Taking(bin, missing));
          }
        });
    return all;
  }

  /** One sentence for each domain that a workload was placed in beyond what its nodes have. */
  public List<String> overbooked() {
    return overbookings.sentences();
  }

  /** The workload releases its places. */
  public void release(ObjectKey workload) {
    others.held(workload);
    part(workload);
    Holding before = held.remove(workload);
    if (before != null) {
      before.takings().forEach(t -> room.add(t.bin(), t.amounts(), -1));
      markUsers(before);
    }
  }

  /** Notes the flavors in which there is more room now. */
  private void markUsers(Holding released) {
    Set<CapacityBucket> freed = new HashSet<>();
    released.takings().forEach(t -> freed.add(t.bin()));
    for (FlavorTopology site : sites.values()) {
      if (released.flavors().contains(site.name())
          || freed.stream().anyMatch(b -> site.forest().leafOf(b) != DomainForest.NOWHERE)) {
        changed.add(site.name());
      }
    }
  }

  Collection<Taking> heldBy(ObjectKey workload) {
    Holding holding = held.get(workload);
    return holding == null ? List.of() : holding.takings();
  }

  private List<Taking> takings(WorkloadState workload, Admission admission) {
    List<Taking> takings = new ArrayList<>();
    List<PodSet> podSets = workload.workload().spec().podSets();
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      for (int i = 0; i < podSets.size(); i++) {
        PodSet podSet = podSets.get(i);
        PodPlacement placement =
            podSet.name().equals(assignment.name())
                ? AssignmentCodec.held(assignment, podSet)
                : null;
        if (placement != null) {
          Requests perPod = workload.podRequests(i);
          for (String flavor : flavorsOf(assignment, placement)) {
            takings.addAll(takings(flavor, placement, perPod));
          }
        }
      }
    }
    return takings;
  }

  /** One is enough where all share the nodes. */
  private Collection<String> flavorsOf(PodSetAssignment assignment, PodPlacement placement) {
    return sharesHosts && placement.onHosts()
        ? List.of("")
        : new TreeSet<>(assignment.flavors().values());
  }

  List<Taking> takings(String flavor, PodPlacement placement, Requests perPod) {
    long[] one = resources.vector(ResourceNumbers.perPod(perPod));
    List<Taking> takings = new ArrayList<>();
    for (PodPlacement.Domain domain : placement.domains()) {
      if (domain.values().size() == placement.levels().size() && domain.pods() > 0) {
        CapacityBucket bin = bin(flavor, placement.levels(), domain.values());
        takings.add(new Taking(bin, ResourceNumbers.plus(new long[0], one, domain.pods())));
      }
    }
    return takings;
  }

  private CapacityBucket bin(String flavor, List<String> levels, List<String> values) {
    boolean host = levels.getLast().equals(Levels.HOSTNAME);
    var name =
        host
            ? new CapacityBucket.Name(
                sharesHosts ? "" : flavor, List.of(Levels.HOSTNAME), List.of(values.getLast()))
            : new CapacityBucket.Name(flavor, levels, values);
    synchronized (bins) {
      return bins.computeIfAbsent(name, CapacityBucket::new);
    }
  }

  /**
   * Builds the domains that changes have touched.
   *
   * @return what may be otherwise than at the last time
   */
  public Settled settle() {
    others.settle(this::heldOn);
    relabelled.addAll(stale);
    if (!stale.isEmpty()) {
      stale.forEach(this::rebuild);
      changed.addAll(stale);
      stale.clear();
      room.forget();
      empty.forget();
      forgetBins();
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
      if (isMember(node, flavor, levels)) {
        members.add(node);
      }
    }
    List<String> stored = levels.endAtHosts() ? List.of(Levels.HOSTNAME) : levels.labels();
    DomainForest forest = DomainForest.of(levels, members, values -> bin(name, stored, values));
    sites.put(name, new FlavorTopology(flavor, topology, forest));
  }

  private void forgetBins() {
    Set<CapacityBucket> inUse = new HashSet<>();
    for (FlavorTopology site : sites.values()) {
      site.forest().leaves().forEach(leaf -> inUse.add(leaf.bin()));
    }
    synchronized (bins) {
      bins.values().removeIf(bin -> !inUse.contains(bin) && !room.uses(bin));
    }
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
    Levels levels = Levels.of(topology);
    if (levels == null) {
      return null;
    }
    Set<String> known = new HashSet<>();
    boolean any = false;
    for (NodeState node : nodes.values()) {
      Map<String, String> labels = node.node().metadata().labels();
      if (hasLabels(labels, flavor)) {
        any = true;
        known.addAll(labels.keySet());
        if (known.containsAll(levels.labels())) {
          return null;
        }
      }
    }
    for (int level = 0; any && level < levels.count(); level++) {
      if (!known.contains(levels.label(level))) {
        return "Topology %s: spec.levels[%d].nodeLabel %s is on no node of ResourceFlavor %s"
            .formatted(
                topology.metadata().name(), level, levels.label(level), flavor.metadata().name());
      }
    }
    return null;
  }
}
