package dev.sluice.quota.trial;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.topology.capacity.TopologyCache;
import dev.sluice.quota.topology.capacity.TopologyUsage;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaUsage;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One tree during a cycle: its usage, which trials change and restore, and the workloads that hold
 * quota in it. For one thread.
 */
public final class TreeTrial {
  private final QuotaUsage ledger;
  private final Holders holders;
  private TopologyUsage room;
  private final Instant now;
  private final Set<ObjectKey> withdrawn = new HashSet<>();
  // the holders of quota in a queue do not change during a cycle, and every search needs them
  private final Map<Integer, List<Held>> sorted = new HashMap<>();

  /** A trial where pods may run anywhere. */
  public TreeTrial(QuotaUsage ledger, Holders holders, Instant now) {
    this(ledger, holders, new TopologyCache(true).emptyTopologyUsage(), now);
  }

  /** A trial in a room of its own, which it changes together with the ledger. */
  public TreeTrial(QuotaUsage ledger, Holders holders, TopologyUsage room, Instant now) {
    this.ledger = ledger;
    this.holders = holders;
    this.room = room;
    this.now = now;
  }

  public QuotaUsage ledger() {
    return ledger;
  }

  /** What is taken of the domains where pods are placed. */
  public TopologyUsage topologyUsage() {
    return room;
  }

  /** Goes on in a room with other trials; nothing must be removed at the moment. */
  public void enter(TopologyUsage shared) {
    room = shared;
  }

  public TreeShape shape() {
    return ledger.shape();
  }

  /** The node of the ClusterQueue, which must be in this tree. */
  public int node(String queue) {
    int node = shape().node(NodeName.clusterQueue(queue));
    if (node == TreeShape.NOWHERE) {
      throw new IllegalArgumentException(queue + " (expected: a ClusterQueue of this tree)");
    }
    return node;
  }

  /**
   * Those that hold quota in the active ClusterQueue at that node, in the {@linkplain
   * Held#compareAsCandidate order of candidates}.
   */
  public List<Held> heldIn(int node) {
    List<Held> all = sorted.computeIfAbsent(node, this::sorted);
    return withdrawn.isEmpty()
        ? all
        : all.stream().filter(held -> !withdrawn.contains(held.workload().key())).toList();
  }

  private List<Held> sorted(int node) {
    return holders.inOrder(shape().name(node).name(), node, shape(), now);
  }

  /** What the LocalQueue has used lately, or null where that does not order anything. */
  public @Nullable Double localQueueUsage(WorkloadState workload) {
    return holders.localQueueUsage(workload);
  }

  /** Whether the workload holds quota in this tree. */
  public boolean holds(Held workload) {
    String queue = workload.workload().reservedIn();
    return shape().node(NodeName.clusterQueue(queue)) != TreeShape.NOWHERE;
  }

  /** Takes the workload away so that it is no candidate either. */
  public void withdraw(Held workload) {
    remove(workload);
    withdrawn.add(workload.workload().key());
  }

  /** Undoes {@link #withdraw}. */
  public void putBack(Held workload) {
    withdrawn.remove(workload.workload().key());
    add(workload);
  }

  public void remove(Held workload) {
    ledger.remove(workload.node(), workload.usage());
    room.remove(workload.workload().key());
  }

  public void add(Held workload) {
    ledger.add(workload.node(), workload.usage());
    room.add(workload.workload().key());
  }

  /** The columns of the pairs. */
  public int[] columns(Iterable<FlavorResource> pairs) {
    Map<FlavorResource, Long> named = new HashMap<>();
    pairs.forEach(pair -> named.put(pair, 0L));
    return shape().vector(Usage.of(named)).columns();
  }

  /** The workloads that hold quota, by ClusterQueue. */
  public interface Holders {
    /** Empty for a ClusterQueue that is unknown or not active. */
    List<WorkloadState> in(String queue);

    /** The same in the {@linkplain Held#compareAsCandidate order of candidates}. */
    default List<Held> inOrder(String queue, int node, TreeShape shape, Instant now) {
      return HeldIndex.sorted(in(queue), node, shape, now);
    }

    /** The usage of the workload's LocalQueue, or null where it does not order anything. */
    @Nullable Double localQueueUsage(WorkloadState workload);
  }
}
