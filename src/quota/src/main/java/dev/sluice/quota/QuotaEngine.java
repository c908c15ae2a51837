package dev.sluice.quota;

import static dev.sluice.quota.world.ConditionType.ADMITTED;
import static dev.sluice.quota.world.ConditionType.PODS_READY;

import dev.sluice.api.core.LimitRange;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.queue.StopPolicy;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.assign.Head;
import dev.sluice.quota.assign.Nominated;
import dev.sluice.quota.assign.Nominator;
import dev.sluice.quota.assign.Placement;
import dev.sluice.quota.assign.ScanProgress;
import dev.sluice.quota.condition.StatusWriter;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.configuration.Gate;
import dev.sluice.quota.cycle.CycleRun;
import dev.sluice.quota.cycle.LoopGuard;
import dev.sluice.quota.cycle.RequeueReason;
import dev.sluice.quota.cycle.Verdict;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Decision.Refused.Cause;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.PendingReason;
import dev.sluice.quota.decision.Target;
import dev.sluice.quota.decision.WakeUp;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.queue.Interest;
import dev.sluice.quota.queue.PendingQueue;
import dev.sluice.quota.request.ResourceProblems;
import dev.sluice.quota.tree.Forest;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.Trees;
import dev.sluice.quota.trial.TreeTrial;
import dev.sluice.quota.world.ObjectKey;
import dev.sluice.quota.world.QueueRules;
import dev.sluice.quota.world.Selectors;
import dev.sluice.quota.world.WorkloadReader;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The single writer of the quota ledger: takes changes of the cluster, runs cycles, and hands out
 * snapshots. Not safe for use by several threads at once; its snapshots are.
 *
 * <p>Changes may come in any order, twice, or before the objects they refer to; the state depends
 * only on the last of each object. A change of a Workload costs the height of its queue's tree and
 * the logarithm of the workloads; one of a ClusterQueue or Cohort the size of its tree, once before
 * the next cycle or snapshot. A cycle costs what its heads cost: at most one per ClusterQueue,
 * whatever is parked.
 */
public final class QuotaEngine {
  /** A search for flavors goes round once per cycle at most; beyond that it only repeats itself. */
  private static final int CYCLES_OF_A_ROUND = 32;

  private final EngineConfiguration configuration;
  private final WorkloadReader reader;
  private final StatusWriter writer;
  private final Placement placement;
  private final Nominator nominator;
  private final Inventory inventory = new Inventory();
  private final Forest forest = new Forest();
  private final Holdings holdings = new Holdings(forest);
  private final WaitingRoom room = new WaitingRoom();
  private final LocalQueues localQueues = new LocalQueues();
  private final FairQueues fairQueues;
  private final LoopGuard loops = new LoopGuard();
  private final Assumptions assumptions = new Assumptions();

  private final Map<ObjectKey, Set<ObjectKey>> waitingFor = new HashMap<>();
  private final Map<String, Long> generations = new HashMap<>();
  private final Map<ObjectKey, ScanProgress> progress = new HashMap<>();
  private final Map<String, Set<ObjectKey>> variants = new HashMap<>();
  private final Set<ObjectKey> notReady = new HashSet<>();
  private PersistentMap<ObjectKey, WorkloadState> workloads = PersistentMap.empty();
  private long cycles;
  private int idleCycles;

  /** An engine that knows of nothing, whose pods may run on any node of their flavor. */
  public QuotaEngine(EngineConfiguration configuration) {
    this(configuration, Placement.ANYWHERE);
  }

  /** An engine that knows of nothing and asks that placement where pods go. */
  public QuotaEngine(EngineConfiguration configuration, Placement placement) {
    this.configuration = configuration;
    this.placement = placement;
    this.reader = new WorkloadReader(configuration);
    this.writer = new StatusWriter(configuration);
    this.nominator = new Nominator(configuration, inventory::flavor, placement);
    this.fairQueues = new FairQueues(configuration, localQueues, holdings);
  }

  /** Takes note of a change; {@code now} decides which backoffs are over. */
  public void apply(Change change, Instant now) {
    idleCycles = 0;
    switch (change) {
      case Change.ClusterQueueIs(var queue) -> put(queue, now);
      case Change.CohortIs(var cohort) -> forest.put(NodeSpecs.of(cohort));
      case Change.LocalQueueIs(var queue) -> put(ObjectKey.of(queue.metadata()), queue, now);
      case Change.FlavorIs(var flavor) -> put(flavor.metadata().name(), flavor, now);
      case Change.CheckIs(var check) -> {
        inventory.put(check.metadata().name(), check);
        review(rules -> namesCheck(rules, check.metadata().name()), false, now);
      }
      case Change.TopologyIs(var topology) -> {
        inventory.put(topology.metadata().name(), topology);
        review(rules -> usesTopology(rules, topology.metadata().name()), true, now);
      }
      case Change.NamespaceIs(var namespace) -> put(namespace.metadata().name(), namespace);
      case Change.LimitRangeIs(var range) -> put(ObjectKey.of(range.metadata()), range, now);
      case Change.RuntimeClassIs(var runtimeClass) -> {
        inventory.put(runtimeClass.metadata().name(), runtimeClass);
        readAgain(null, now);
      }
      case Change.WorkloadIs(var workload) -> put(workload, now);
      case Change.StatusStored(var key) -> assumptions.confirm(key);
      case Change.StatusLost(var key) -> forget(key, now);
      case Change.Gone(var kind, var key) -> remove(kind, key, now);
    }
  }

  private void remove(Change.Kind kind, ObjectKey key, Instant now) {
    String name = key.name();
    switch (kind) {
      case CLUSTER_QUEUE -> removeClusterQueue(name);
      case COHORT -> forest.remove(NodeName.cohort(name));
      case LOCAL_QUEUE -> put(key, (LocalQueue) null, now);
      case RESOURCE_FLAVOR -> put(name, (ResourceFlavor) null, now);
      case ADMISSION_CHECK -> {
        inventory.put(name, (dev.sluice.api.check.AdmissionCheck) null);
        review(rules -> namesCheck(rules, name), false, now);
      }
      case TOPOLOGY -> {
        inventory.put(name, (dev.sluice.api.flavor.Topology) null);
        review(rules -> usesTopology(rules, name), false, now);
      }
      case NAMESPACE -> put(name, (Namespace) null);
      case LIMIT_RANGE -> put(key, (LimitRange) null, now);
      case RUNTIME_CLASS -> {
        inventory.put(name, (dev.sluice.api.core.RuntimeClass) null);
        readAgain(null, now);
      }
      case WORKLOAD -> removeWorkload(key, now);
    }
  }

  // ClusterQueues, LocalQueues and what they refer to

  private void put(ClusterQueue queue, Instant now) {
    var rules = new QueueRules(queue);
    QueueEntry old = room.find(rules.name());
    if (old != null && old.rules().queue().equals(queue)) {
      return;
    }
    forest.put(NodeSpecs.of(queue));
    List<Inactivity> inactivity = Activity.of(rules, inventory);
    if (old == null) {
      room.put(rules.name(), new QueueEntry(rules, inactivity, PendingQueue.EMPTY));
    } else {
      room.put(rules.name(), new QueueEntry(rules, inactivity, old.waiting()));
    }
    if (old == null
        || fairQueues.orders(old.rules()) != fairQueues.orders(rules)
        || old.rules().strict() != rules.strict()) {
      enterAll(rules.name(), now);
    }
  }

  /** Everybody whose LocalQueue points to the ClusterQueue enters it anew. */
  private void enterAll(String clusterQueue, Instant now) {
    localQueues.of(clusterQueue).forEach(key -> enterAll(key, now));
  }

  private void enterAll(ObjectKey localQueue, Instant now) {
    for (ObjectKey key : List.copyOf(waitingFor.getOrDefault(localQueue, Set.of()))) {
      WorkloadState workload = workloads.find(key);
      if (workload != null) {
        enter(workload, now);
      }
    }
  }

  private void removeClusterQueue(String name) {
    room.remove(name);
    forest.remove(NodeName.clusterQueue(name));
  }

  private void put(ObjectKey key, @Nullable LocalQueue queue, Instant now) {
    LocalQueue old = localQueues.put(key, queue);
    fairQueues.changed(key, old, queue);
    if (old == null || queue == null || !old.spec().equals(queue.spec())) {
      enterAll(key, now);
    }
  }

  private void put(String name, @Nullable ResourceFlavor flavor, Instant now) {
    ResourceFlavor old = inventory.put(name, flavor);
    boolean changed = old == null || flavor == null || !old.spec().equals(flavor.spec());
    if (changed) {
      review(rules -> rules.flavors().contains(name), true, now);
    }
  }

  private static boolean namesCheck(QueueRules rules, String check) {
    return rules.checks().stream().anyMatch(c -> c.name().equals(check));
  }

  private boolean usesTopology(QueueRules rules, String topology) {
    return rules.flavors().stream()
        .map(inventory::flavor)
        .anyMatch(f -> f != null && topology.equals(f.spec().topologyName()));
  }

  private interface Users {
    boolean test(QueueRules rules);
  }

  /** Looks anew at the activity of those queues; wakes those that became active, or all. */
  private void review(Users users, boolean wakeAll, Instant now) {
    for (var named : room.queues()) {
      QueueEntry entry = named.getValue();
      if (!users.test(entry.rules())) {
        continue;
      }
      boolean wasActive = entry.active();
      QueueEntry reviewed = entry.with(Activity.of(entry.rules(), inventory));
      room.put(named.getKey(), reviewed);
      if (reviewed.active() && (wakeAll || !wasActive)) {
        room.wakeAll(named.getKey(), key -> backoffOver(key, now));
      }
    }
  }

  private boolean backoffOver(ObjectKey key, Instant now) {
    WorkloadState workload = workloads.find(key);
    return workload == null || workload.backoffOver(now);
  }

  private void put(String name, @Nullable Namespace namespace) {
    Namespace old = inventory.namespace(name);
    inventory.put(name, namespace);
    boolean changed =
        old == null
            || namespace == null
            || !old.metadata().labels().equals(namespace.metadata().labels());
    if (changed) {
      room.wakeNamespace(name);
    }
  }

  private void put(ObjectKey key, @Nullable LimitRange range, Instant now) {
    inventory.put(key, range);
    readAgain(key.namespace(), now);
    room.wakeNamespace(key.namespace());
  }

  /** Adjusts anew the workloads of the namespace, or all, that hold no quota. */
  private void readAgain(@Nullable String namespace, Instant now) {
    for (WorkloadState workload : workloads.values()) {
      boolean affected = namespace == null || workload.key().namespace().equals(namespace);
      if (affected && !workload.holdsQuota()) {
        WorkloadState read = read(workload.workload());
        if (!read.shape().equals(workload.shape())) {
          replace(workload, read, now);
        }
      }
    }
  }

  // Workloads

  private WorkloadState read(Workload workload) {
    return reader.read(workload, inventory.adjusted(workload));
  }

  private void put(Workload workload, Instant now) {
    WorkloadState old = workloads.find(ObjectKey.of(workload.metadata()));
    if (old == null) {
      replace(null, read(workload), now);
    } else if (!old.workload().equals(workload) && !outdated(old.workload(), workload)) {
      replace(old, read(assumptions.merged(old.workload(), workload)), now);
    }
  }

  /** Whether the second is no newer than the first, as far as their versions tell. */
  private static boolean outdated(Workload known, Workload told) {
    String knownVersion = known.metadata().resourceVersion();
    String toldVersion = told.metadata().resourceVersion();
    if (knownVersion == null
        || toldVersion == null
        || !known.metadata().uid().equals(told.metadata().uid())) {
      return false;
    }
    try {
      return Long.parseLong(toldVersion) <= Long.parseLong(knownVersion);
    } catch (NumberFormatException _) {
      return false;
    }
  }

  /** What was decided could not be stored: back to what the cluster has (reference: 4.11). */
  private void forget(ObjectKey key, Instant now) {
    WorkloadState assumed = workloads.find(key);
    Workload stored = assumptions.revert(key);
    if (assumed != null && stored != null) {
      replace(assumed, read(stored), now);
    }
  }

  private void replace(@Nullable WorkloadState old, WorkloadState workload, Instant now) {
    keepHoldings(old, workload);
    fairQueues.changed(old, workload, now);
    workloads = workloads.with(workload.key(), workload);
    index(old, workload);
    boolean stays =
        old != null
            && workload.admissible()
            && Objects.equals(old.localQueue(), workload.localQueue())
            && room.isParked(workload.key())
            && !reopens(old, workload);
    if (!stays) {
      enter(workload, now);
    }
  }

  private void keepHoldings(@Nullable WorkloadState old, WorkloadState workload) {
    boolean held = old != null && old.holdsQuota();
    boolean same =
        old != null
            && held
            && workload.holdsQuota()
            && old.reservedIn().equals(workload.reservedIn())
            && old.usage().equals(workload.usage());
    if (same) {
      holdings.update(workload);
      return;
    }
    if (old != null && held) {
      holdings.remove(old);
    }
    if (workload.holdsQuota()) {
      holdings.add(workload);
    }
    if (old != null && held) {
      released(old, workload);
    }
  }

  private void released(WorkloadState old, @Nullable WorkloadState workload) {
    String queue = old.reservedIn();
    Usage rest =
        workload != null && workload.holdsQuota() && queue.equals(workload.reservedIn())
            ? workload.usage()
            : Usage.NONE;
    Set<FlavorResource> pairs = new TreeSet<>();
    old.usage()
        .forEach(
            (pair, amount) -> {
              if (amount > rest.of(pair)) {
                pairs.add(pair);
              }
            });
    generations.merge(queue, 1L, Long::sum);
    NodeName root = forest.trees().rootOf(queue);
    if (root != null) {
      room.released(root, pairs);
    }
  }

  private void index(@Nullable WorkloadState old, WorkloadState workload) {
    ObjectKey key = workload.key();
    if (old != null) {
      forget(old);
    }
    ObjectKey localQueue = workload.localQueue();
    if (workload.admissible() && localQueue != null) {
      waitingFor.computeIfAbsent(localQueue, _ -> new TreeSet<>()).add(key);
    }
    String parent = workload.parentUid();
    if (parent != null) {
      variants.computeIfAbsent(parent, _ -> new TreeSet<>()).add(key);
    }
    if (workload.holdsQuota() && workload.isTrue(ADMITTED) && !workload.isTrue(PODS_READY)) {
      notReady.add(key);
    }
  }

  private void forget(WorkloadState old) {
    notReady.remove(old.key());
    ObjectKey localQueue = old.localQueue();
    if (localQueue != null) {
      removeFrom(waitingFor, localQueue, old.key());
    }
    String parent = old.parentUid();
    if (parent != null) {
      removeFrom(variants, parent, old.key());
    }
  }

  private static <K> void removeFrom(Map<K, Set<ObjectKey>> index, K key, ObjectKey workload) {
    Set<ObjectKey> own = index.get(key);
    if (own != null && own.remove(workload) && own.isEmpty()) {
      index.remove(key);
    }
  }

  /** Whether a change of a parked workload may change its verdict (reference: 3.5). */
  private static boolean reopens(WorkloadState old, WorkloadState workload) {
    return !old.workload().spec().equals(workload.workload().spec())
        || old.priority() != workload.priority()
        || !old.shape().equals(workload.shape())
        || !old.queueTimestamp().equals(workload.queueTimestamp())
        || !old.workload()
            .status()
            .admissionChecks()
            .equals(workload.workload().status().admissionChecks())
        || !Objects.equals(old.backoffUntil(), workload.backoffUntil())
        || old.evicted() != workload.evicted()
        || old.preemptionGated() != workload.preemptionGated();
  }

  /** The workload waits where its LocalQueue says, or nowhere. */
  private void enter(WorkloadState workload, Instant now) {
    String queue = workload.admissible() ? queueFor(workload) : null;
    QueueEntry entry = queue == null ? null : room.find(queue);
    if (queue == null || entry == null) {
      room.leave(workload.key());
      return;
    }
    boolean sticky = workload.key().equals(entry.waiting().sticky());
    room.enter(workload, queue, lane(workload, entry.rules()), now);
    if (sticky) {
      room.change(queue, waiting -> waiting.withSticky(workload.key()));
    }
  }

  private @Nullable String queueFor(WorkloadState workload) {
    LocalQueue queue = localQueues.find(workload.localQueue());
    return queue == null || queue.spec().stopPolicy() != StopPolicy.NONE
        ? null
        : queue.spec().clusterQueue();
  }

  private String lane(WorkloadState workload, QueueRules rules) {
    return fairQueues.orders(rules) ? String.valueOf(workload.localQueue()) : "";
  }

  private void removeWorkload(ObjectKey key, Instant now) {
    WorkloadState old = workloads.find(key);
    if (old == null) {
      return;
    }
    room.leave(key);
    forget(old);
    progress.remove(key);
    assumptions.confirm(key);
    workloads = workloads.without(key);
    if (old.holdsQuota()) {
      holdings.remove(old);
      released(old, null);
    }
    fairQueues.changed(old, null, now);
  }

  // Cycles

  /** Builds the trees that changes have touched, and wakes who waits in them. */
  private void settle(Instant now) {
    if (forest.settled()) {
      return;
    }
    loops.forget();
    for (String queue : forest.settle()) {
      generations.merge(queue, 1L, Long::sum);
      room.wakeAll(queue, key -> backoffOver(key, now));
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
    cycles++;
    Map<NodeName, TreeHeads> byTree = heads(now);
    List<Runnable> tasks = new ArrayList<>();
    byTree.values().forEach(tree -> tasks.add(() -> nominate(tree)));
    work.runAll(tasks);
    List<Verdict> verdicts = new ArrayList<>();
    var run =
        new CycleRun(
            configuration, nominator, placement, this::holdingVariant, loops, admissionBlocked());
    for (TreeHeads tree : byTree.values()) {
      verdicts.addAll(tree.refused);
      for (int i = 0; i < tree.nominated.size(); i++) {
        run.add(tree.trial, tree.nominatedHeads.get(i), tree.nominated.get(i));
      }
    }
    verdicts.addAll(run.run());
    return conclude(verdicts, now);
  }

  /** The heads of one tree, and what was found for them. */
  private static final class TreeHeads {
    private final TreeTrial trial;
    private final List<Head> heads = new ArrayList<>();
    private final List<Head> nominatedHeads = new ArrayList<>();
    private final List<Nominated> nominated = new ArrayList<>();
    private final List<Verdict> refused = new ArrayList<>();

    private TreeHeads(TreeTrial trial) {
      this.trial = trial;
    }
  }

  private Map<NodeName, TreeHeads> heads(Instant now) {
    Map<NodeName, TreeHeads> byTree = new TreeMap<>();
    Trees trees = forest.trees();
    for (String queue : room.ready()) {
      NodeName root = trees.rootOf(queue);
      QuotaTree tree = root == null ? null : trees.tree(root);
      Head head = tree == null ? null : head(queue, now);
      if (root != null && tree != null && head != null) {
        byTree
            .computeIfAbsent(
                root, _ -> new TreeHeads(new TreeTrial(tree.ledger(), new ActiveHolders(), now)))
            .heads
            .add(head);
      }
    }
    return byTree;
  }

  private void nominate(TreeHeads tree) {
    for (Head head : tree.heads) {
      Decision.Refused refused = refusal(head);
      if (refused == null) {
        tree.nominatedHeads.add(head);
        tree.nominated.add(nominator.nominate(tree.trial, head, Map.of()));
      } else {
        tree.refused.add(refusedVerdict(head, refused));
      }
    }
  }

  private boolean admissionBlocked() {
    return configuration.podsReady().blockAdmission() && !notReady.isEmpty();
  }

  private final class ActiveHolders implements TreeTrial.Holders {
    @Override
    public List<WorkloadState> in(String queue) {
      QueueEntry entry = room.find(queue);
      List<WorkloadState> found = new ArrayList<>();
      if (entry != null && entry.active()) {
        holdings.in(queue).values().forEach(found::add);
      }
      return found;
    }

    @Override
    public @Nullable Double localQueueUsage(WorkloadState workload) {
      QueueEntry entry = room.find(workload.reservedIn());
      return entry == null ? null : fairQueues.usageOf(workload, entry.rules());
    }
  }

  private @Nullable Head head(String queue, Instant now) {
    QueueEntry entry = room.find(queue);
    if (entry != null) {
      fairQueues.refresh(entry.rules(), now);
    }
    ObjectKey key = entry == null ? null : entry.waiting().head(fairQueues::usage);
    WorkloadState workload = key == null ? null : workloads.find(key);
    if (entry == null || workload == null) {
      return null;
    }
    ScanProgress last = progress.get(workload.key());
    boolean holds =
        last != null
            && last.holds(
                workload.shape(), generations.getOrDefault(queue, 0L), cycles, configuration);
    boolean preemptor = workload.key().equals(entry.waiting().sticky());
    return new Head(workload, entry.rules(), preemptor, holds ? last : null, replaced(workload));
  }

  private @Nullable WorkloadState replaced(WorkloadState workload) {
    ObjectKey key = workload.replaces();
    WorkloadState old =
        key == null || !configuration.on(Gate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES)
            ? null
            : workloads.find(key);
    return old != null && old.holdsQuota() ? old : null;
  }

  private @Nullable WorkloadState holdingVariant(WorkloadState variant) {
    String parent = variant.parentUid();
    Set<ObjectKey> all = parent == null ? Set.of() : variants.getOrDefault(parent, Set.of());
    for (ObjectKey key : all) {
      WorkloadState other = workloads.find(key);
      if (other != null && other.holdsQuota() && !other.key().equals(variant.key())) {
        return other;
      }
    }
    return null;
  }

  /** What keeps a head from being evaluated, or null (reference: 4.3). */
  private Decision.@Nullable Refused refusal(Head head) {
    WorkloadState workload = head.workload();
    if (workload.hasCheckIn(CheckState.RETRY, CheckState.REJECTED)) {
      return new Decision.Refused(
          PendingReason.PENDING_EVALUATION,
          Cause.CHECKS,
          "An admission check is in state Retry or Rejected");
    }
    String name = workload.key().namespace();
    Namespace namespace = inventory.namespace(name);
    if (namespace == null) {
      return misconfigured(Cause.NAMESPACE_MISSING, "There is no namespace " + name);
    }
    if (!Selectors.matches(head.rules().namespaceSelector(), namespace.metadata().labels())) {
      return misconfigured(
          Cause.NAMESPACE_MISMATCH,
          "ClusterQueue %s does not select namespace %s".formatted(head.rules().name(), name));
    }
    List<String> problems =
        ResourceProblems.of(inventory.adjusted(workload.workload()), inventory.limits(name));
    return problems.isEmpty() ? null : misconfigured(Cause.RESOURCES, String.join("; ", problems));
  }

  private static Decision.Refused misconfigured(Cause cause, String problem) {
    return new Decision.Refused(PendingReason.MISCONFIGURED, cause, problem);
  }

  private static Verdict refusedVerdict(Head head, Decision.Refused refused) {
    RequeueReason reason =
        refused.cause() == Cause.NAMESPACE_MISMATCH
            ? RequeueReason.NAMESPACE_MISMATCH
            : RequeueReason.GENERIC;
    return new Verdict(head, refused, reason, null);
  }

  // What a cycle leaves behind

  private CycleResult conclude(List<Verdict> verdicts, Instant now) {
    List<Outcome> outcomes = new ArrayList<>();
    boolean changed = false;
    boolean searching = false;
    for (Verdict verdict : verdicts) {
      searching |= remember(verdict);
      changed |= carryOut(verdict, now);
    }
    for (Verdict verdict : verdicts) {
      Outcome.Place place = placeOf(verdict);
      changed |= place == Outcome.Place.INADMISSIBLE;
      outcomes.add(outcome(verdict, place));
    }
    idleCycles = changed ? 0 : idleCycles + 1;
    return new CycleResult(outcomes, changed || (searching && idleCycles < CYCLES_OF_A_ROUND));
  }

  /** Keeps how far the search for flavors came; whether it goes on. */
  private boolean remember(Verdict verdict) {
    ObjectKey key = verdict.head().workload().key();
    Assignment assignment = verdict.progress();
    if (assignment == null) {
      return progress.remove(key) != null;
    }
    String queue = verdict.head().rules().name();
    ScanProgress next =
        ScanProgress.of(
            assignment,
            generations.getOrDefault(queue, 0L),
            cycles,
            verdict.head().workload().shape());
    ScanProgress last = progress.put(key, next);
    return last == null || !last.tried().equals(next.tried());
  }

  /** Writes the decision into the state; whether that changes what the next cycle finds. */
  private boolean carryOut(Verdict verdict, Instant now) {
    WorkloadState head = verdict.head().workload();
    Decision decision = verdict.decision();
    WorkloadState decided = read(writer.decided(head, verdict.head().rules(), decision, now));
    return switch (decision) {
      case Decision.Reserved(_, var replaces) -> {
        assumptions.assume(head.workload());
        replace(head, decided, now);
        WorkloadState slice = replaces == null ? null : workloads.find(replaces);
        if (slice != null) {
          replace(slice, read(writer.replaced(slice, head.key(), now)), now);
        }
        yield true;
      }
      case Decision.Preempting(_, var targets) -> {
        requeue(verdict, decided);
        yield preempt(targets, decided, now);
      }
      case Decision.Migrating(_, var sibling) -> {
        requeue(verdict, decided);
        WorkloadState variant = workloads.find(sibling);
        if (variant != null && !variant.evicted()) {
          assumptions.assume(variant.workload());
          replace(variant, read(writer.migrated(variant, head.key(), now)), now);
          yield true;
        }
        yield false;
      }
      case Decision.Deferred _,
          Decision.Waiting _,
          Decision.Looping _,
          Decision.Gated _,
          Decision.Skipped _,
          Decision.KeptBack _,
          Decision.Blocked _,
          Decision.Refused _ -> {
        requeue(verdict, decided);
        yield false;
      }
    };
  }

  private boolean preempt(List<Target> targets, WorkloadState preemptor, Instant now) {
    boolean any = false;
    for (Target target : targets) {
      WorkloadState victim = workloads.find(target.workload());
      if (victim != null && !victim.evicted()) {
        loops.note(preemptor, victim);
        assumptions.assume(victim.workload());
        replace(victim, read(writer.preempted(victim, target, preemptor, now)), now);
        any = true;
      }
    }
    return any;
  }

  /** Back into the heap or to the parked, as the reason says (reference: 3.4). */
  private void requeue(Verdict verdict, WorkloadState decided) {
    ObjectKey key = decided.key();
    keepHoldings(verdict.head().workload(), decided);
    workloads = workloads.with(key, decided);
    String queue = verdict.head().rules().name();
    if (!queue.equals(room.queueOf(key))) {
      return;
    }
    boolean strict = verdict.head().rules().strict();
    RequeueReason reason = verdict.requeue();
    boolean preempts =
        reason == RequeueReason.PENDING_PREEMPTION || reason == RequeueReason.PENDING_MIGRATION;
    if (preempts) {
      room.change(queue, waiting -> waiting.withSticky(key));
    }
    boolean atOnce =
        reason != RequeueReason.NAMESPACE_MISMATCH
            && (strict || reason.atOnce() || searchGoesOn(verdict));
    if (!atOnce) {
      park(verdict, queue, key);
    }
  }

  private static boolean searchGoesOn(Verdict verdict) {
    Assignment assignment = verdict.progress();
    return assignment != null && assignment.hasPendingFlavors();
  }

  private void park(Verdict verdict, String queue, ObjectKey key) {
    Interest interest = interest(verdict);
    boolean lane =
        verdict.requeue().forItsShape() && configuration.on(Gate.SCHEDULING_EQUIVALENCE_HASHING);
    room.change(
        queue,
        waiting -> lane ? waiting.parkLane(key, interest) : waiting.parkAlone(key, interest));
    NodeName root = forest.trees().rootOf(queue);
    if (root != null) {
      room.await(queue, root, interest);
    }
  }

  private static Interest interest(Verdict verdict) {
    if (verdict.decision() instanceof Decision.Refused(_, var cause, _)) {
      return cause == Cause.CHECKS ? Interest.NONE : Interest.NAMESPACE;
    }
    return Interest.in(pairsOf(verdict.head()));
  }

  /** Every pair the workload could be given. */
  private static Set<FlavorResource> pairsOf(Head head) {
    Set<FlavorResource> pairs = new TreeSet<>();
    for (var podSet : head.workload().requests()) {
      for (String resource : podSet.total().asMap().keySet()) {
        QueueRules.Group group = head.rules().groupOf(resource);
        if (group != null) {
          group.flavors().forEach(f -> pairs.add(new FlavorResource(f, resource)));
        }
      }
    }
    return pairs;
  }

  private Outcome.Place placeOf(Verdict verdict) {
    if (verdict.decision() instanceof Decision.Reserved) {
      return Outcome.Place.RESERVED;
    }
    return room.isParked(verdict.head().workload().key())
        ? Outcome.Place.INADMISSIBLE
        : Outcome.Place.PENDING;
  }

  private Outcome outcome(Verdict verdict, Outcome.Place place) {
    String queue = verdict.head().rules().name();
    ObjectKey key = verdict.head().workload().key();
    QueueEntry entry = room.find(queue);
    WorkloadState workload = workloads.find(key);
    List<WakeUp> wakeUps =
        place == Outcome.Place.RESERVED || entry == null || workload == null
            ? List.of()
            : WakeUps.in(entry, forest.trees().rootOf(queue), workload);
    return new Outcome(key, queue, verdict.decision(), place, wakeUps);
  }

  /** The state as it is now, in O(1) if no queue or cohort has changed since the last cycle. */
  public Snapshot snapshot(Instant now) {
    settle(now);
    return new Snapshot(
        forest.trees(), room.queues(), holdings.holders(), workloads, localQueues.all());
  }
}
