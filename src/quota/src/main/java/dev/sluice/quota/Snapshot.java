package dev.sluice.quota;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.cycle.Eligibility;
import dev.sluice.quota.decision.WakeUp;
import dev.sluice.quota.history.LocalQueueFairness;
import dev.sluice.quota.history.LocalQueueUsage;
import dev.sluice.quota.inventory.Inactivity;
import dev.sluice.quota.inventory.LocalQueues;
import dev.sluice.quota.persistent.Difference;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.queue.QueueEntry;
import dev.sluice.quota.queue.WaitingLine;
import dev.sluice.quota.queue.WaitingOrders;
import dev.sluice.quota.queue.WakeUpEvents;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.QuotaUsage;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.tree.Trees;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The state of an engine at one moment; immutable, for any thread. */
public final class Snapshot {
  private final Trees trees;
  private final PersistentMap<String, QueueEntry> queues;
  private final WaitingOrders orders;
  private final PersistentMap<String, PersistentMap<ObjectKey, WorkloadState>> holders;
  private final PersistentMap<ObjectKey, WorkloadState> workloads;
  private final PersistentMap<ObjectKey, LocalQueue> localQueues;
  private final List<String> overbooked;
  private final @Nullable LocalQueueUsage usage;
  private final Eligibility eligibility;
  private final Map<String, WaitingLine> lines = Collections.synchronizedMap(new HashMap<>());

  Snapshot(
      Trees trees,
      PersistentMap<String, QueueEntry> queues,
      WaitingOrders orders,
      PersistentMap<String, PersistentMap<ObjectKey, WorkloadState>> holders,
      PersistentMap<ObjectKey, WorkloadState> workloads,
      PersistentMap<ObjectKey, LocalQueue> localQueues,
      List<String> overbooked,
      @Nullable LocalQueueUsage usage,
      Eligibility eligibility) {
    this.trees = trees;
    this.queues = queues;
    this.orders = orders;
    this.holders = holders;
    this.workloads = workloads;
    this.localQueues = localQueues;
    this.overbooked = List.copyOf(overbooked);
    this.usage = usage;
    this.eligibility = eligibility;
  }

  /** The current ClusterQueue of the workload's LocalQueue, or null. */
  public @Nullable String queueFor(WorkloadState workload) {
    ObjectKey key = workload.localQueue();
    LocalQueue queue = key == null ? null : localQueues.find(key);
    return LocalQueues.target(queue);
  }

  /** The LocalQueue of that name, or null. */
  public @Nullable LocalQueue localQueue(ObjectKey key) {
    return localQueues.find(key);
  }

  /**
   * The usage by now that orders the LocalQueue among those of its ClusterQueue; empty where none
   * does.
   */
  public OptionalDouble fairUsage(LocalQueue queue, Instant now) {
    return usage == null || !sharesFairly(queue)
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            usage.of(ObjectKey.of(queue.metadata()), LocalQueueFairness.weight(queue), now));
  }

  /** What the LocalQueue has used by now, where that orders it among those of its ClusterQueue. */
  public Optional<LocalQueueUsage.Sample> fairSample(LocalQueue queue, Instant now) {
    return usage == null || !sharesFairly(queue)
        ? Optional.empty()
        : usage.sample(ObjectKey.of(queue.metadata()), now);
  }

  private boolean sharesFairly(LocalQueue queue) {
    String name = queue.spec().clusterQueue();
    QueueEntry entry = name == null ? null : queues.find(name);
    return entry != null && entry.rules().fairBetweenLocalQueues();
  }

  /** Every LocalQueue, in the order of namespace and name. */
  public Iterable<LocalQueue> localQueues() {
    return localQueues.values();
  }

  /**
   * The events that requeue that workload: one of them is enough. Empty for a workload with quota,
   * and for an unknown one.
   */
  public List<WakeUp> wakeUps(ObjectKey key) {
    WorkloadState workload = workloads.find(key);
    if (workload == null || workload.holdsQuota()) {
      return List.of();
    }
    String queue = workload.admissible() ? queueFor(workload) : null;
    QueueEntry entry = queue == null ? null : queues.find(queue);
    return queue == null || entry == null
        ? WakeUpEvents.outside(workload, queue)
        : WakeUpEvents.in(
            entry, trees, trees.rootOf(queue), workload, entry.waiting().parkedFor(key));
  }

  /** The names of all ClusterQueues, in order. */
  public List<String> clusterQueues() {
    List<String> names = new ArrayList<>();
    queues.forEach(entry -> names.add(entry.getKey()));
    return names;
  }

  /** Whether there is a ClusterQueue of that name. */
  public boolean hasClusterQueue(String name) {
    return queues.containsKey(name);
  }

  /** The ClusterQueue of that name, or null. */
  public @Nullable ClusterQueue clusterQueue(String name) {
    QueueEntry entry = queues.find(name);
    return entry == null ? null : entry.rules().queue();
  }

  /** What keeps the ClusterQueue from taking part; nothing for an active or an unknown one. */
  public List<Inactivity> inactivity(String clusterQueue) {
    QueueEntry entry = queues.find(clusterQueue);
    return entry == null ? List.of() : entry.inactivity();
  }

  /**
   * All that wait in the ClusterQueue, in one order; nobody where it is unknown. Costs O(log n) for
   * each change since this engine was last asked for that line; the first time, the queue is
   * sorted.
   */
  public WaitingLine line(String clusterQueue) {
    QueueEntry entry = queues.find(clusterQueue);
    return entry == null
        ? WaitingLine.EMPTY
        : lines.computeIfAbsent(clusterQueue, name -> line(name, entry));
  }

  private WaitingLine line(String name, QueueEntry entry) {
    LocalQueueUsage ordering = entry.rules().fairBetweenLocalQueues() ? usage : null;
    return WaitingLine.of(
        name,
        entry.waiting(),
        orders,
        workloads::find,
        ordering == null
            ? null
            : localQueue ->
                ordering.of(localQueue, LocalQueueFairness.weight(localQueues.find(localQueue))));
  }

  /** How many wait in the ClusterQueue, pending or not; 0 where it is unknown. */
  public int waitingCount(String clusterQueue) {
    QueueEntry entry = queues.find(clusterQueue);
    return entry == null ? 0 : entry.waiting().size();
  }

  private List<ObjectKey> waiting(String clusterQueue, boolean parked) {
    return line(clusterQueue).places().stream()
        .filter(place -> place.parked() == parked)
        .map(place -> place.workload().key())
        .toList();
  }

  /** The workloads that the next cycles consider, in queue order. */
  public List<ObjectKey> pending(String clusterQueue) {
    return waiting(clusterQueue, false);
  }

  /** Those that wait for an event, in queue order. */
  public List<ObjectKey> inadmissible(String clusterQueue) {
    return waiting(clusterQueue, true);
  }

  /** Whether the next cycles consider the workload, which is then pending in the ClusterQueue. */
  public boolean isPending(ObjectKey workload, String clusterQueue) {
    QueueEntry entry = queues.find(clusterQueue);
    return entry != null
        && entry.active()
        && entry.waiting().contains(workload)
        && !entry.waiting().isParked(workload);
  }

  /** Those that wait in the ClusterQueue, pending or not, in the order of their names. */
  public Iterable<ObjectKey> waiting(String clusterQueue) {
    QueueEntry entry = queues.find(clusterQueue);
    return entry == null ? List.of() : entry.waiting().members();
  }

  /** Whether the workload waits in the ClusterQueue, in one place where it will be found. */
  public boolean waitsSoundly(ObjectKey workload, String clusterQueue) {
    QueueEntry entry = queues.find(clusterQueue);
    return entry != null && entry.waiting().isSound(workload);
  }

  /** The equal workload whose verdict also holds for that one, or null. */
  public @Nullable Workload judgedFor(ObjectKey key) {
    WorkloadState workload = workloads.find(key);
    String queue = workload == null ? null : queueFor(workload);
    QueueEntry entry = queue == null ? null : queues.find(queue);
    ObjectKey judged = entry == null ? null : entry.waiting().judgedFor(key);
    return judged == null ? null : workload(judged);
  }

  /**
   * Whether cycles refuse to evaluate the workload: it is misconfigured, or its ClusterQueue has no
   * tree.
   */
  public boolean isRefused(ObjectKey key) {
    WorkloadState workload = workloads.find(key);
    String queue = workload == null ? null : queueFor(workload);
    QueueEntry entry = queue == null ? null : queues.find(queue);
    return workload != null
        && queue != null
        && entry != null
        && (trees.treeOf(queue) == null
            || eligibility.problem(workload.workload(), entry.rules()) != null);
  }

  /** Whether the workload holds quota of the ClusterQueue. */
  public boolean holds(ObjectKey workload, String clusterQueue) {
    PersistentMap<ObjectKey, WorkloadState> own = holders.find(clusterQueue);
    return own != null && own.containsKey(workload);
  }

  /** One sentence for each overbooked topology domain, with the workloads. */
  public List<String> overbooked() {
    return overbooked;
  }

  /** Those that hold quota of the ClusterQueue, in the order of their names. */
  public List<WorkloadState> holders(String clusterQueue) {
    List<WorkloadState> found = new ArrayList<>();
    PersistentMap<ObjectKey, WorkloadState> own = holders.find(clusterQueue);
    if (own != null) {
      own.values().forEach(found::add);
    }
    return found;
  }

  /** The workloads that hold that pair in the ClusterQueue's tree, the largest first. */
  public List<WorkloadState> holdersOf(FlavorResource pair, String clusterQueue) {
    QuotaTree tree = treeOf(clusterQueue);
    List<WorkloadState> found = new ArrayList<>();
    for (int node = 0; tree != null && node < tree.shape().size(); node++) {
      if (tree.shape().isQueue(node)) {
        holders(tree.shape().name(node).name()).stream()
            .filter(holder -> holder.usage().of(pair) > 0)
            .forEach(found::add);
      }
    }
    found.sort(
        Comparator.comparingLong((WorkloadState holder) -> holder.usage().of(pair))
            .reversed()
            .thenComparing(WorkloadState::key));
    return found;
  }

  /** The Workload with its present conditions and admission, or null. */
  public @Nullable Workload workload(ObjectKey key) {
    WorkloadState state = workloads.find(key);
    return state == null ? null : state.workload();
  }

  /** The Workload as the engine sees it, or null. */
  public @Nullable WorkloadState state(ObjectKey key) {
    return workloads.find(key);
  }

  /**
   * The Workloads that are new, gone, or in another state than in that snapshot, in order. Where
   * one engine, or a fork of it, made both, this costs O(log n) for each.
   */
  public List<ObjectKey> changedSince(Snapshot before) {
    return Difference.between(before.workloads, workloads, Integer.MAX_VALUE).stream()
        .flatMap(List::stream)
        .map(Difference.Change::key)
        .toList();
  }

  /** Every Workload, in the order of namespace and name. */
  public Iterable<WorkloadState> workloads() {
    return workloads.values();
  }

  /** Every tree, in the order of its root. */
  public Iterable<QuotaTree> trees() {
    return trees.all();
  }

  /** Every tree and, cut at one place, every circle of cohorts: for showing them. */
  public List<QuotaTree> shownTrees() {
    List<QuotaTree> shown = new ArrayList<>();
    trees.all().forEach(shown::add);
    shown.addAll(trees.cutCircles());
    return shown;
  }

  /** The tree of the ClusterQueue, or null where it is unknown or in a circle of cohorts. */
  public @Nullable QuotaTree treeOf(String clusterQueue) {
    return trees.treeOf(clusterQueue);
  }

  /** What the ClusterQueue has of each pair; empty where it has no tree. */
  public Map<FlavorResource, Standing> standing(String clusterQueue) {
    QuotaTree tree = treeOf(clusterQueue);
    if (tree == null) {
      return Map.of();
    }
    TreeShape shape = tree.shape();
    QuotaUsage ledger = tree.ledger();
    int node = shape.node(NodeName.clusterQueue(clusterQueue));
    Map<FlavorResource, Standing> standings = new LinkedHashMap<>();
    for (int column = 0; column < shape.width(); column++) {
      if (shape.lists(node, column) || ledger.usage(node, column) > 0) {
        standings.put(
            shape.pair(column),
            new Standing(
                new Amount(shape.nominal(node, column)),
                new Amount(ledger.usage(node, column)),
                new Amount(ledger.available(node, column)),
                new Amount(shape.potentialAvailable(node, column))));
      }
    }
    return standings;
  }

  /**
   * What a ClusterQueue has of one pair.
   *
   * @param available what could still be used now; negative after the quota was lowered
   * @param potential what could be used with nothing in use anywhere
   */
  public record Standing(Amount nominal, Amount used, Amount available, Amount potential) {}
}
