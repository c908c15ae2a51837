package dev.sluice.quota;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.queue.Cohort;
import dev.sluice.quota.assign.FlavorSearchState;
import dev.sluice.quota.assign.Nominator;
import dev.sluice.quota.assign.Placement;
import dev.sluice.quota.assign.TopologyAwarePlacement;
import dev.sluice.quota.cache.ClusterQueueCache;
import dev.sluice.quota.cache.EngineParts;
import dev.sluice.quota.cache.NodeSpecReader;
import dev.sluice.quota.cache.QuotaHolders;
import dev.sluice.quota.cache.WorkloadCache;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.cycle.DecisionApplier;
import dev.sluice.quota.cycle.HeadNominator;
import dev.sluice.quota.cycle.LoopGuard;
import dev.sluice.quota.cycle.QuietTrees;
import dev.sluice.quota.cycle.SchedulingCycle;
import dev.sluice.quota.cycle.Verdict;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.history.LocalQueueFairness;
import dev.sluice.quota.inventory.Inventory;
import dev.sluice.quota.inventory.LocalQueues;
import dev.sluice.quota.queue.QueueManager;
import dev.sluice.quota.queue.SecondPassQueue;
import dev.sluice.quota.topology.capacity.TopologyCache;
import dev.sluice.quota.topology.capacity.TopologyView;
import dev.sluice.quota.tree.CohortForest;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.TreeEdits;
import dev.sluice.quota.world.WorkloadReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The single writer of the quota state: applies changes of the cluster, runs cycles, and returns
 * snapshots. Not thread-safe; its snapshots are.
 *
 * <p>Changes may come in any order, twice, or before the objects they refer to; the state depends
 * only on the last of each object. A change of a Workload costs the height of its queue's tree and
 * the logarithm of the workloads; one of the amounts of a ClusterQueue or Cohort the height of its
 * tree, and it requeues the workloads that wait for one of its pairs of flavor and resource; a
 * change of the tree's shape costs the size of the tree, once before the next cycle or snapshot. A
 * cycle costs what its heads cost: at most one head per ClusterQueue, however many workloads are
 * inadmissible.
 */
public final class QuotaEngine {
  private final EngineConfiguration configuration;
  private final UnaryOperator<Placement> placing;
  private final Placement placement;
  private final TopologyCache topologies;
  private final Inventory inventory;
  private final CohortForest forest;
  private final QuotaHolders holdings;
  private final QueueManager queueManager;
  private final LocalQueues localQueues;
  private final LocalQueueFairness fairness;
  private final FlavorSearchState searchState;
  private final EngineParts parts;
  private final LoopGuard loops;
  private final WorkloadCache workloads;
  private final ClusterQueueCache queues;
  private final HeadNominator heads;
  private final Nominator nominator;
  private final DecisionApplier applier;
  private final QuietTrees quiet;
  private final ObjectRoutes routes;

  /** Whether nothing is admitted while the pods of an admitted workload are not ready. */
  private boolean blocks;

  /** An empty engine. */
  public QuotaEngine(EngineConfiguration configuration) {
    this(configuration, UnaryOperator.identity());
  }

  /** An engine that places pods in another way. */
  QuotaEngine(EngineConfiguration configuration, UnaryOperator<Placement> placing) {
    this(
        configuration,
        placing,
        EngineParts.empty(
            configuration,
            new TopologyCache(configuration.on(FeatureGate.TAS_HANDLE_OVERLAPPING_FLAVORS)),
            configuration.on(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)),
        null);
  }

  /**
   * An engine of those parts.
   *
   * @param original the engine that the parts were forked from, or null for an empty one
   */
  private QuotaEngine(
      EngineConfiguration configuration,
      UnaryOperator<Placement> placing,
      EngineParts parts,
      @Nullable QuotaEngine original) {
    this.configuration = configuration;
    this.blocks = original == null ? configuration.blocksAdmission() : original.blocks;
    this.placing = placing;
    this.parts = parts;
    this.inventory = parts.inventory();
    this.topologies = inventory.topologies();
    this.forest = parts.forest();
    this.holdings = parts.holdings();
    this.queueManager = parts.queueManager();
    this.localQueues = parts.localQueues();
    this.fairness = parts.fairness();
    this.searchState = parts.searchState();
    this.placement =
        placing.apply(
            configuration.on(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)
                ? new TopologyAwarePlacement(
                    configuration, inventory::flavor, inventory::check, topologies)
                : Placement.ANYWHERE);
    this.nominator = new Nominator(configuration, inventory::flavor, placement);
    if (original == null) {
      this.loops = new LoopGuard();
      this.workloads =
          new WorkloadCache(
              new WorkloadReader(configuration), parts, new SecondPassQueue(configuration));
      this.queues = new ClusterQueueCache(parts, workloads);
      this.applier = new DecisionApplier(configuration, parts, workloads, loops);
    } else {
      this.loops = original.loops.fork();
      this.workloads = original.workloads.fork(parts);
      this.queues = original.queues.fork(parts, workloads);
      this.applier = original.applier.fork(parts, workloads, loops);
    }
    this.quiet = new QuietTrees(configuration, parts);
    this.heads = new HeadNominator(configuration, nominator, parts, workloads);
    this.routes = routes();
  }

  /**
   * An engine of its own in the same state; this one goes on. The two decide the same if they
   * receive the same, and what one receives or decides never shows in the other. The fork may be
   * passed to another thread.
   *
   * <p>Costs the changes of queues and cohorts since the last cycle or snapshot, and the number of
   * domains of the lowest level, but not the workloads. Both engines copy what they share when they
   * first change it.
   */
  public QuotaEngine fork() {
    return new QuotaEngine(configuration, placing, parts.fork(), this);
  }

  /**
   * From now on the pods of each admitted workload count as ready, for plays of the engine alone in
   * which no pods run: with {@code blockAdmission} they would admit one workload after the end of
   * another.
   */
  public void assumePodsReady() {
    blocks = false;
  }

  private ObjectRoutes routes() {
    return new ObjectRoutes()
        .on(ObjectKind.CLUSTER_QUEUE, queues::putClusterQueue)
        .on(ObjectKind.COHORT, (key, cohort, _) -> putCohort(key.name(), cohort))
        .on(ObjectKind.LOCAL_QUEUE, queues::putLocalQueue)
        .on(ObjectKind.RESOURCE_FLAVOR, queues::putFlavor)
        .on(ObjectKind.ADMISSION_CHECK, queues::putCheck)
        .on(ObjectKind.TOPOLOGY, queues::putTopology)
        .on(ObjectKind.NAMESPACE, queues::putNamespace)
        .on(ObjectKind.LIMIT_RANGE, queues::putLimitRange)
        .on(ObjectKind.RUNTIME_CLASS, queues::putRuntimeClass)
        .on(ObjectKind.RESOURCE_CLAIM_TEMPLATE, queues::putClaimTemplate)
        .on(ObjectKind.DEVICE_CLASS, queues::putDeviceClass)
        .on(ObjectKind.RESOURCE_SLICE, queues::putResourceSlice)
        .on(ObjectKind.NODE, (key, node, _) -> topologies.putNode(key.name(), node))
        .on(ObjectKind.POD, (key, pod, _) -> topologies.putPod(key, pod))
        .on(ObjectKind.WORKLOAD, workloads::put)
        .complete();
  }

  private void putCohort(String name, @Nullable Cohort cohort) {
    if (cohort == null) {
      forest.remove(NodeName.cohort(name));
    } else {
      forest.put(NodeSpecReader.of(cohort));
    }
  }

  /** Takes in a change; {@code now} decides which backoffs are over. */
  public void apply(Change change, Instant now) {
    applier.somethingHappened();
    if (!isOfWorkload(change)) {
      quiet.forget();
    }
    switch (change) {
      case Change.Upserted<?> upserted -> put(upserted, now);
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
        if (kind != ObjectKind.WORKLOAD || workloads.isThere(key, uid)) {
          routes.remove(kind, key, now);
        }
      }
    }
  }

  private static boolean isOfWorkload(Change change) {
    return switch (change) {
      case Change.Upserted<?> upserted -> upserted.kind() == ObjectKind.WORKLOAD;
      case Change.Deleted deleted -> deleted.kind() == ObjectKind.WORKLOAD;
      case Change.WorkloadAnswered _, Change.StatusStored _, Change.StatusWriteFailed _ -> true;
    };
  }

  private <T> void put(Change.Upserted<T> change, Instant now) {
    routes.put(change.kind(), change.object(), now);
  }

  /** Rebuilds the changed trees, and requeues the workloads that wait for those changes. */
  private void settle(Instant now) {
    queues.settled(topologies.settle(), now);
    queues.recountDevices(now);
    if (forest.settled()) {
      return;
    }
    loops.forget();
    TreeEdits edits = forest.settle();
    edits.roots().forEach(searchState::advance);
    for (String queue : edits.uprooted()) {
      searchState.advance(queue);
      queueManager.wakeAll(queue, key -> workloads.backoffOver(key, now));
    }
    edits.pairs().forEach(queueManager::released);
    if (configuration.fairSharing() != null) {
      edits.reweighted().forEach(queueManager::reweighted);
    }
  }

  /**
   * Considers the head of every active ClusterQueue and admits as many as it can. Reservations
   * count from here on, also in the status of these workloads.
   */
  public CycleResult cycle(Instant now) {
    return cycle(now, TreeWork.SEQUENTIAL);
  }

  /** As {@link #cycle(Instant)}, with the same result for any executor. */
  public CycleResult cycle(Instant now, TreeWork work) {
    return cycle(now, work, null);
  }

  /**
   * As {@link #cycle(Instant)}, without heads for which the cycle would have no effect: those of
   * trees where nothing has changed since a call of this method had none, less than ten seconds
   * ago. Of a tree either all heads are considered or none.
   */
  public CycleResult cycleOfNews(Instant now) {
    quiet.begin();
    return cycle(now, TreeWork.SEQUENTIAL, quiet);
  }

  private CycleResult cycle(Instant now, TreeWork work, @Nullable QuietTrees leftOut) {
    settle(now);
    queueManager.reopenDue(now);
    searchState.nextCycle();
    HeadNominator.Round round = heads.heads(now, leftOut);
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
            topologies.topologyUsage().fork(),
            blocks,
            blocks && workloads.anyNotReady(),
            now);
    List<Verdict> verdicts = new ArrayList<>(round.withoutTree());
    for (HeadNominator.TreeHeads tree : round.byTree().values()) {
      verdicts.addAll(tree.refused());
      tree.addTo(run);
    }
    verdicts.addAll(run.run());
    CycleResult result = applier.conclude(verdicts, now);
    if (leftOut != null) {
      leftOut.concluded(verdicts, result.outcomes());
    }
    return result;
  }

  /**
   * When the next backoff of a pending workload ends, so that a cycle at that time considers it;
   * empty if there is none.
   */
  public Optional<Instant> nextBackoffOver() {
    return Optional.ofNullable(queueManager.nextDue());
  }

  /**
   * One sentence for each event that a workload of the ClusterQueue waits for and that would not
   * requeue it; empty if there is none. Together with {@link dev.sluice.quota.audit.Audit} this is
   * the engine's self-check. Costs what waits in the queue.
   */
  public List<String> auditWakeUps(String clusterQueue) {
    return queueManager.unfindable(clusterQueue, forest.rootOf(clusterQueue));
  }

  /**
   * What the nodes have, by flavor and domain. The answer is not to be used after the next change,
   * and by one thread only.
   */
  public TopologyView topology(Instant now) {
    settle(now);
    return topologies.view();
  }

  /** The state as it is now, in O(1) if no queue or cohort has changed since the last cycle. */
  public Snapshot snapshot(Instant now) {
    settle(now);
    return new Snapshot(
        forest.trees(),
        queueManager.queues(),
        queueManager.orders(),
        holdings.holders(),
        workloads.all(),
        localQueues.all(),
        topologies.overbooked(),
        fairness.now(),
        heads.eligibility(inventory.environment()));
  }
}
