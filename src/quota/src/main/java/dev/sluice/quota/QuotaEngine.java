package dev.sluice.quota;

import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.core.LimitRange;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.core.RuntimeClass;
import dev.sluice.api.device.DeviceClass;
import dev.sluice.api.device.ResourceClaimTemplate;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.quota.assign.FlavorSearchState;
import dev.sluice.quota.assign.Nominator;
import dev.sluice.quota.assign.Placement;
import dev.sluice.quota.assign.TopologyAwarePlacement;
import dev.sluice.quota.cache.ClusterQueueCache;
import dev.sluice.quota.cache.NodeSpecReader;
import dev.sluice.quota.cache.QuotaHolders;
import dev.sluice.quota.cache.WorkloadCache;
import dev.sluice.quota.condition.StatusWriter;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.cycle.DecisionApplier;
import dev.sluice.quota.cycle.HeadNominator;
import dev.sluice.quota.cycle.LoopGuard;
import dev.sluice.quota.cycle.SchedulingCycle;
import dev.sluice.quota.cycle.Verdict;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.history.LocalQueueFairness;
import dev.sluice.quota.inventory.Inventory;
import dev.sluice.quota.inventory.LocalQueues;
import dev.sluice.quota.queue.QueueManager;
import dev.sluice.quota.queue.SecondPassQueue;
import dev.sluice.quota.topology.capacity.TopologyCache;
import dev.sluice.quota.tree.CohortForest;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.TreeEdits;
import dev.sluice.quota.world.WorkloadReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The single writer of the quota ledger: takes changes of the cluster, runs cycles, and hands out
 * snapshots. Not safe for use by several threads at once; its snapshots are.
 *
 * <p>Changes may come in any order, twice, or before the objects they refer to; the state depends
 * only on the last of each object. A change of a Workload costs the height of its queue's tree and
 * the logarithm of the workloads; one of the amounts of a ClusterQueue or Cohort the height of its
 * tree, and it wakes those who wait for one of the pairs of flavor and resource that it is about;
 * one that makes it another tree its size, once before the next cycle or snapshot. A cycle costs
 * what its heads cost: at most one per ClusterQueue, whatever is parked.
 */
public final class QuotaEngine {
  private final EngineConfiguration configuration;
  private final Placement placement;
  private final TopologyCache sites;
  private final Inventory inventory;
  private final CohortForest forest = new CohortForest();
  private final QuotaHolders holdings = new QuotaHolders(forest);
  private final QueueManager room = new QueueManager();
  private final LocalQueues localQueues = new LocalQueues();
  private final LocalQueueFairness fairQueues;
  private final LoopGuard loops = new LoopGuard();
  private final FlavorSearchState memory;
  private final WorkloadCache workloads;
  private final ClusterQueueCache queues;
  private final HeadNominator heads;
  private final Nominator nominator;
  private final DecisionApplier aftermath;

  /** An engine that knows of nothing. */
  public QuotaEngine(EngineConfiguration configuration) {
    this(configuration, UnaryOperator.identity());
  }

  /** An engine that places pods in another way. */
  QuotaEngine(EngineConfiguration configuration, UnaryOperator<Placement> placing) {
    this.configuration = configuration;
    this.sites = new TopologyCache(configuration.on(FeatureGate.TAS_HANDLE_OVERLAPPING_FLAVORS));
    boolean places = configuration.on(FeatureGate.TOPOLOGY_AWARE_SCHEDULING);
    this.inventory = new Inventory(sites, places);
    this.placement =
        placing.apply(
            places
                ? new TopologyAwarePlacement(
                    configuration, inventory::flavor, inventory::check, sites)
                : Placement.ANYWHERE);
    this.nominator = new Nominator(configuration, inventory::flavor, placement);
    this.memory = new FlavorSearchState(configuration, forest);
    this.fairQueues = new LocalQueueFairness(configuration, localQueues);
    this.workloads =
        new WorkloadCache(
            new WorkloadReader(configuration),
            inventory,
            holdings,
            forest,
            room,
            localQueues,
            fairQueues,
            memory,
            new SecondPassQueue(configuration));
    this.queues =
        new ClusterQueueCache(inventory, forest, room, localQueues, fairQueues, workloads);
    this.heads =
        new HeadNominator(
            configuration,
            nominator,
            inventory,
            forest,
            holdings,
            room,
            fairQueues,
            workloads,
            memory);
    this.aftermath =
        new DecisionApplier(
            configuration, new StatusWriter(configuration), forest, room, workloads, memory, loops);
  }

  /** Takes note of a change; {@code now} decides which backoffs are over. */
  public void apply(Change change, Instant now) {
    aftermath.somethingHappened();
    switch (change) {
      case Change.ClusterQueueIs(var queue) -> queues.put(queue, now);
      case Change.CohortIs(var cohort) -> forest.put(NodeSpecReader.of(cohort));
      case Change.LocalQueueIs(var queue) -> queues.put(ObjectKey.of(queue.metadata()), queue, now);
      case Change.FlavorIs(var flavor) -> queues.put(flavor.metadata().name(), flavor, now);
      case Change.CheckIs(var check) -> queues.put(check.metadata().name(), check, now);
      case Change.TopologyIs(var topology) -> queues.put(topology.metadata().name(), topology, now);
      case Change.NamespaceIs(var namespace) -> queues.put(namespace.metadata().name(), namespace);
      case Change.LimitRangeIs(var range) -> queues.put(ObjectKey.of(range.metadata()), range, now);
      case Change.RuntimeClassIs(var runtimeClass) ->
          queues.put(runtimeClass.metadata().name(), runtimeClass, now);
      case Change.ClaimTemplateIs(var template) ->
          queues.put(ObjectKey.of(template.metadata()), template, now);
      case Change.DeviceClassIs(var deviceClass) ->
          queues.put(deviceClass.metadata().name(), deviceClass, now);
      case Change.NodeIs(var node) -> sites.put(node);
      case Change.PodIs(var pod) -> sites.put(pod);
      case Change.WorkloadIs(var workload) -> workloads.put(workload, now);
      case Change.WorkloadAnswered(var workload) -> workloads.refresh(workload, now);
      case Change.StatusStored(var key, var uid) -> {
        if (workloads.isThere(key, uid)) {
          workloads.statusStored(key);
        }
      }
      case Change.StatusWriteFailed(var key, var uid) -> {
        if (workloads.isThere(key, uid)) {
          loops.undone(key);
          workloads.statusLost(key, now);
        }
      }
      case Change.Deleted(var kind, var key, var uid) -> {
        if (kind != Change.Kind.WORKLOAD || workloads.isThere(key, uid)) {
          remove(kind, key, now);
        }
      }
    }
  }

  private void remove(Change.Kind kind, ObjectKey key, Instant now) {
    String name = key.name();
    switch (kind) {
      case CLUSTER_QUEUE -> queues.removeClusterQueue(name);
      case COHORT -> forest.remove(NodeName.cohort(name));
      case LOCAL_QUEUE -> queues.put(key, (LocalQueue) null, now);
      case RESOURCE_FLAVOR -> queues.put(name, (ResourceFlavor) null, now);
      case ADMISSION_CHECK -> queues.put(name, (AdmissionCheck) null, now);
      case TOPOLOGY -> queues.put(name, (Topology) null, now);
      case NAMESPACE -> queues.put(name, (Namespace) null);
      case LIMIT_RANGE -> queues.put(key, (LimitRange) null, now);
      case RUNTIME_CLASS -> queues.put(name, (RuntimeClass) null, now);
      case RESOURCE_CLAIM_TEMPLATE -> queues.put(key, (ResourceClaimTemplate) null, now);
      case DEVICE_CLASS -> queues.put(name, (DeviceClass) null, now);
      case NODE -> sites.removeNode(name);
      case POD -> sites.removePod(key);
      case WORKLOAD -> workloads.remove(key, now);
    }
  }

  /** Builds the trees that changes have touched, and wakes who waits for what they changed. */
  private void settle(Instant now) {
    queues.settled(sites.settle(), now);
    if (forest.settled()) {
      return;
    }
    loops.forget();
    TreeEdits edits = forest.settle();
    edits.roots().forEach(memory::advance);
    for (String queue : edits.uprooted()) {
      memory.advance(queue);
      room.wakeAll(queue, key -> workloads.backoffOver(key, now));
    }
    edits.pairs().forEach(room::released);
    if (configuration.fairSharing() != null) {
      edits.reweighted().forEach(room::reweighted);
    }
  }

  /**
   * Looks at the head of every active ClusterQueue and serves as many as it can. What it reserves
   * counts from here on, and the status of the workloads concerned says so.
   */
  public CycleResult cycle(Instant now) {
    return cycle(now, TreeWork.SEQUENTIAL);
  }

  /** As {@link #cycle(Instant)}, with the same result, whoever does the work. */
  public CycleResult cycle(Instant now, TreeWork work) {
    settle(now);
    room.reopenDue(now);
    memory.nextCycle();
    HeadNominator.Round round = heads.heads(now);
    List<Runnable> tasks = new ArrayList<>();
    round.byTree().values().forEach(tree -> tasks.add(() -> heads.nominate(tree)));
    work.runAll(tasks);
    var run =
        new SchedulingCycle(
            configuration,
            nominator,
            placement,
            workloads::admittedVariant,
            loops,
            sites.room().fork(),
            blocked(),
            now);
    List<Verdict> verdicts = new ArrayList<>(round.withoutTree());
    for (HeadNominator.TreeHeads tree : round.byTree().values()) {
      verdicts.addAll(tree.refused());
      tree.addTo(run);
    }
    verdicts.addAll(run.run());
    return aftermath.conclude(verdicts, now);
  }

  private boolean blocked() {
    return configuration.blocksAdmission() && workloads.anyNotReady();
  }

  /**
   * When the next backoff of a waiting workload is over, so that a cycle at that time looks at it;
   * empty where nobody has one that ends.
   */
  public Optional<Instant> nextBackoffOver() {
    return Optional.ofNullable(room.nextDue());
  }

  /**
   * One sentence for each event that somebody in the ClusterQueue waits for and would not hear of;
   * none where all is well. With {@link dev.sluice.quota.audit.Audit} all that the engine can say
   * about itself. Costs what waits in the queue.
   */
  public List<String> auditWakeUps(String clusterQueue) {
    return room.unfindable(clusterQueue, forest.trees().rootOf(clusterQueue));
  }

  /** The state as it is now, in O(1) if no queue or cohort has changed since the last cycle. */
  public Snapshot snapshot(Instant now) {
    settle(now);
    return new Snapshot(
        forest.trees(),
        room.queues(),
        holdings.holders(),
        workloads.all(),
        localQueues.all(),
        sites.overbooked(),
        fairQueues.now());
  }
}
