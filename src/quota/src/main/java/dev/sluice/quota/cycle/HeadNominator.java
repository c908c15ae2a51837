package dev.sluice.quota.cycle;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.workload.CheckState;
import dev.sluice.quota.assign.FlavorSearchState;
import dev.sluice.quota.assign.Head;
import dev.sluice.quota.assign.LastAssignment;
import dev.sluice.quota.assign.Nominated;
import dev.sluice.quota.assign.Nominator;
import dev.sluice.quota.cache.EngineParts;
import dev.sluice.quota.cache.QuotaHolders;
import dev.sluice.quota.cache.WorkloadCache;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Decision.Refused.Cause;
import dev.sluice.quota.device.DeviceCounter;
import dev.sluice.quota.history.LocalQueueFairness;
import dev.sluice.quota.inventory.Inventory;
import dev.sluice.quota.inventory.PodEnvironment;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.queue.Preemptor;
import dev.sluice.quota.queue.QueueEntry;
import dev.sluice.quota.queue.QueueManager;
import dev.sluice.quota.tree.CohortForest;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.tree.Trees;
import dev.sluice.quota.trial.Held;
import dev.sluice.quota.trial.HeldIndex;
import dev.sluice.quota.trial.TreeTrial;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds the head of each ClusterQueue and how it could be served. For one thread. */
public final class HeadNominator {
  /** Of one head in a cycle: each continues behind the flavor where the one before stopped. */
  private static final int MOST_SEARCHES = 64;

  private final EngineConfiguration configuration;
  private final Nominator nominator;
  private final Inventory inventory;
  private final CohortForest forest;
  private final QuotaHolders holdings;
  private final QueueManager queueManager;
  private final LocalQueueFairness fairness;
  private final WorkloadCache workloads;
  private final FlavorSearchState searchState;
  private final DeviceCounter devices;
  private final HeldIndex held = new HeldIndex();

  public HeadNominator(
      EngineConfiguration configuration,
      Nominator nominator,
      EngineParts parts,
      WorkloadCache workloads) {
    this.configuration = configuration;
    this.nominator = nominator;
    this.inventory = parts.inventory();
    this.forest = parts.forest();
    this.holdings = parts.holdings();
    this.queueManager = parts.queueManager();
    this.fairness = parts.fairness();
    this.workloads = workloads;
    this.searchState = parts.searchState();
    this.devices = new DeviceCounter(configuration);
  }

  /** The heads of one tree, and what was found for them. */
  public static final class TreeHeads {
    private final Supplier<TreeTrial> trials;
    private TreeTrial trial;
    private final List<Head> heads;
    private final List<Head> nominatedHeads = new ArrayList<>();
    private final List<Nominated> nominated = new ArrayList<>();
    private final List<Verdict> refused = new ArrayList<>();

    private TreeHeads(List<Head> heads, Supplier<TreeTrial> trials) {
      this.heads = List.copyOf(heads);
      this.trials = trials;
      this.trial = trials.get();
    }

    /** Hands what was nominated to the run of the cycle. */
    public void addTo(SchedulingCycle run) {
      for (int i = 0; i < nominated.size(); i++) {
        run.add(trial, nominatedHeads.get(i), nominated.get(i));
      }
    }

    /** The verdicts on heads that were not evaluated. */
    public List<Verdict> refused() {
      return refused;
    }
  }

  /** All heads of a cycle: by tree, and the verdicts on those whose queue has none. */
  public record Round(Map<NodeName, TreeHeads> byTree, List<Verdict> withoutTree) {}

  /**
   * The heads of the active queues.
   *
   * @param quiet the trees to leave out; null for none
   */
  public Round heads(Instant now, @Nullable QuietTrees quiet) {
    Map<NodeName, List<Head>> byRoot = new TreeMap<>();
    List<Verdict> withoutTree = new ArrayList<>();
    Trees trees = forest.trees();
    for (String queue : queueManager.ready()) {
      NodeName root = forest.rootOf(queue);
      Head head = head(queue, now);
      if (head != null && root != null && trees.tree(root) != null) {
        byRoot.computeIfAbsent(root, _ -> new ArrayList<>()).add(head);
      } else if (head != null) {
        withoutTree.add(refusedVerdict(head, refusalWithoutTree(head)));
      }
    }
    for (ObjectKey key : workloads.secondPasses().due(now)) {
      Head head = secondPass(key);
      NodeName root = head == null ? null : forest.rootOf(head.rules().name());
      if (head != null && root != null && trees.tree(root) != null) {
        byRoot.computeIfAbsent(root, _ -> new ArrayList<>()).add(head);
      }
    }
    Map<NodeName, TreeHeads> byTree = new TreeMap<>();
    byRoot.forEach(
        (root, heads) -> {
          QuotaTree tree = trees.tree(root);
          if (tree != null && (quiet == null || !quiet.isQuiet(root, tree, heads, now))) {
            refreshUsage(tree.shape(), now);
            byTree.put(root, treeHeads(tree, heads, now));
          }
        });
    return new Round(byTree, withoutTree);
  }

  /** The usage of LocalQueues also orders the victims in queues that have no head. */
  private void refreshUsage(TreeShape shape, Instant now) {
    for (int node = 0; fairness.isOn() && node < shape.size(); node++) {
      QueueEntry entry = shape.isQueue(node) ? queueManager.find(shape.name(node).name()) : null;
      if (entry != null) {
        fairness.refresh(entry.rules(), now);
      }
    }
  }

  private TreeHeads treeHeads(QuotaTree tree, List<Head> heads, Instant now) {
    return new TreeHeads(
        heads,
        () ->
            new TreeTrial(
                tree.ledger(),
                new ActiveHolders(),
                inventory.topologies().topologyUsage().fork(),
                now));
  }

  /** The workload, which has quota in an active queue and waits for places, or null. */
  private @Nullable Head secondPass(ObjectKey key) {
    WorkloadState workload = workloads.find(key);
    QueueEntry entry = workload == null ? null : queueManager.find(workload.reservedIn());
    return workload == null || entry == null || !entry.active()
        ? null
        : new Head(workload, entry.rules(), false, null, null);
  }

  /** Finds flavors for the heads of one tree; may run beside that of another tree. */
  public void nominate(TreeHeads tree) {
    for (Head head : tree.heads) {
      try {
        nominate(tree, head);
      } catch (RuntimeException e) { // a fault of ours, which must not stop all the others
        tree.trial = tree.trials.get(); // nothing is reserved yet
        tree.refused.add(refusedVerdict(head, fault(e)));
      }
    }
  }

  private void nominate(TreeHeads tree, Head head) {
    Decision.Refused refused = refusal(head);
    if (refused != null) {
      tree.refused.add(refusedVerdict(head, refused));
      return;
    }
    Nominated nominated = nominator.nominate(tree.trial, head, Map.of());
    boolean hopeless = hopelessFromTheStart(tree.trial, head, nominated);
    tree.nominatedHeads.add(hopeless ? head.searchedInAllParts() : head);
    tree.nominated.add(nominated);
  }

  private static Decision.Refused fault(RuntimeException fault) {
    return new Decision.Refused(
        PendingReason.PENDING_EVALUATION,
        Cause.FAULT,
        "Internal error, please report it: " + fault);
  }

  /**
   * Whether a head that does not fit in the remaining flavors would find nothing among all flavors
   * either, so that the earlier flavors need not be tried again. A search that stops at a flavor
   * without finding anything is continued here. If it were left to later cycles, the head would
   * search in turns from the start and from there, and hold up all behind it.
   */
  private boolean hopelessFromTheStart(TreeTrial trial, Head head, Nominated nominated) {
    LastAssignment progress = head.progress();
    if (progress == null || progress.fromTheStart() || goesOn(nominated)) {
      return false;
    }
    Head search = head.fromTheStart();
    for (int left = MOST_SEARCHES; left > 0; left--) {
      Nominated found = nominator.nominate(trial, search, Map.of());
      if (found.works()) {
        return false;
      }
      if (!found.assignment().hasPendingFlavors()) {
        return true;
      }
      search = search.after(found.assignment());
    }
    return true;
  }

  private static boolean goesOn(Nominated nominated) {
    return nominated.works() || nominated.assignment().hasPendingFlavors();
  }

  private final class ActiveHolders implements TreeTrial.Holders {
    @Override
    public List<WorkloadState> in(String queue) {
      QueueEntry entry = queueManager.find(queue);
      List<WorkloadState> found = new ArrayList<>();
      if (entry != null && entry.active()) {
        holdings.in(queue).values().forEach(found::add);
      }
      return found;
    }

    @Override
    public List<Held> inOrder(String queue, int node, TreeShape shape, Instant now) {
      QueueEntry entry = queueManager.find(queue);
      PersistentMap<ObjectKey, WorkloadState> own = holdings.in(queue);
      return entry == null || !entry.active() || own.isEmpty()
          ? List.of()
          : held.inOrder(own, node, shape, now);
    }

    @Override
    public @Nullable Double localQueueUsage(WorkloadState workload) {
      QueueEntry entry = fairness.isOn() ? queueManager.find(workload.reservedIn()) : null;
      return entry == null ? null : fairness.usageOf(workload, entry.rules());
    }
  }

  private @Nullable Head head(String queue, Instant now) {
    QueueEntry entry = queueManager.find(queue);
    if (entry != null) {
      fairness.refresh(entry.rules(), now);
    }
    ObjectKey key = entry == null ? null : entry.waiting().head(fairness::usage);
    WorkloadState workload = key == null ? null : workloads.find(key);
    if (entry == null || workload == null) {
      return null;
    }
    return new Head(
        workload,
        entry.rules(),
        preempts(workload, entry.waiting().preemptor()),
        searchState.of(workload, queue),
        replaced(workload, queue));
  }

  private static boolean preempts(WorkloadState workload, @Nullable Preemptor preemptor) {
    return preemptor != null
        && preemptor.workload().equals(workload.key())
        && preemptor.generation() == workload.generation();
  }

  /** The slice it takes the place of: one of its own namespace and queue, or its quota is new. */
  private @Nullable WorkloadState replaced(WorkloadState workload, String queue) {
    ObjectKey key = workload.replaces();
    WorkloadState old =
        key == null || !configuration.on(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES)
            ? null
            : workloads.find(key);
    return old != null
            && old.holdsQuota()
            && old.reservedIn().equals(queue)
            && old.key().namespace().equals(workload.key().namespace())
        ? old
        : null;
  }

  /**
   * Why a head is not evaluated: its checks, devices, namespace or requests; null if nothing
   * prevents it.
   */
  private Decision.@Nullable Refused refusal(Head head) {
    WorkloadState workload = head.workload();
    Decision.Refused byChecks = refusalByChecks(workload);
    if (byChecks != null) {
      return byChecks;
    }
    if (configuration.on(FeatureGate.CONCURRENT_ADMISSION)
        && head.rules().concurrentAdmission() != null
        && !workload.isNeverSplit()) {
      return new Decision.Refused(
          PendingReason.PENDING_EVALUATION,
          Cause.NOT_SPLIT,
          "The workload is about to be split into variants, one for each flavor");
    }
    return eligibility(inventory.environment()).problem(workload.workload(), head.rules());
  }

  /** Tells which workloads would not be evaluated in that environment. */
  public Eligibility eligibility(PodEnvironment environment) {
    return new Eligibility(devices, environment);
  }

  private static Decision.@Nullable Refused refusalByChecks(WorkloadState workload) {
    return workload.hasCheckIn(CheckState.RETRY, CheckState.REJECTED)
        ? new Decision.Refused(
            PendingReason.PENDING_EVALUATION,
            Cause.CHECKS,
            "An admission check is in state Retry or Rejected")
        : null;
  }

  private Decision.Refused refusalWithoutTree(Head head) {
    Decision.Refused byChecks = refusalByChecks(head.workload());
    return byChecks != null
        ? byChecks
        : new Decision.Refused(
            PendingReason.SUSPENDED,
            Cause.CLUSTER_QUEUE_INACTIVE,
            "ClusterQueue %s has no quota: the cohorts above it form a circle, %s"
                .formatted(
                    head.rules().name(),
                    String.join(
                        ", ", forest.circleAbove(NodeName.clusterQueue(head.rules().name())))));
  }

  private static Verdict refusedVerdict(Head head, Decision.Refused refused) {
    RequeueReason reason =
        switch (refused.cause()) {
          case NAMESPACE_MISMATCH -> RequeueReason.NAMESPACE_MISMATCH;
          case DEVICES -> RequeueReason.UNCOUNTABLE_DEVICES;
          case CHECKS, NOT_SPLIT, CLUSTER_QUEUE_INACTIVE, NAMESPACE_MISSING, RESOURCES, FAULT ->
              RequeueReason.GENERIC;
        };
    return new Verdict(head, refused, reason, null);
  }
}
