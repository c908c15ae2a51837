package dev.sluice.quota.cache;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.assign.FlavorSearchState;
import dev.sluice.quota.device.DeviceCatalog;
import dev.sluice.quota.history.LocalQueueFairness;
import dev.sluice.quota.inventory.Inventory;
import dev.sluice.quota.inventory.LocalQueues;
import dev.sluice.quota.inventory.PodEnvironment;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.persistent.SnapshotMap;
import dev.sluice.quota.queue.Preemptor;
import dev.sluice.quota.queue.QueueEntry;
import dev.sluice.quota.queue.QueueManager;
import dev.sluice.quota.queue.SecondPassQueue;
import dev.sluice.quota.tree.CohortForest;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.world.QueueRules;
import dev.sluice.quota.world.WorkloadReader;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Every Workload, with the indexes that find them. Keeps the queues they wait in and the quota they
 * hold up to date. For one thread.
 */
public final class WorkloadCache {
  private final WorkloadReader reader;
  private final Inventory inventory;
  private final QuotaHolders holdings;
  private final CohortForest forest;
  private final QueueManager queueManager;
  private final LocalQueues localQueues;
  private final LocalQueueFairness fairness;
  private final FlavorSearchState searchState;
  private final SecondPassQueue secondPasses;
  private final AssumedStatuses assumptions;
  private final WorkloadIndex index;
  private final SnapshotMap<ObjectKey, WorkloadState> workloads;

  /** No Workloads. */
  public WorkloadCache(WorkloadReader reader, EngineParts parts, SecondPassQueue secondPasses) {
    this(
        reader,
        parts,
        secondPasses,
        new AssumedStatuses(),
        new WorkloadIndex(),
        new SnapshotMap<>());
  }

  private WorkloadCache(
      WorkloadReader reader,
      EngineParts parts,
      SecondPassQueue secondPasses,
      AssumedStatuses assumptions,
      WorkloadIndex index,
      SnapshotMap<ObjectKey, WorkloadState> workloads) {
    this.reader = reader;
    this.inventory = parts.inventory();
    this.holdings = parts.holdings();
    this.forest = parts.forest();
    this.queueManager = parts.queueManager();
    this.localQueues = parts.localQueues();
    this.fairness = parts.fairness();
    this.searchState = parts.searchState();
    this.secondPasses = secondPasses;
    this.assumptions = assumptions;
    this.index = index;
    this.workloads = workloads;
  }

  /** The same Workloads between those parts, which are forks of the parts around this cache. */
  public WorkloadCache fork(EngineParts forks) {
    return new WorkloadCache(
        reader, // one for all forks, so that equal shapes have one number
        forks,
        secondPasses.fork(),
        assumptions.fork(),
        index.fork(),
        workloads.fork());
  }

  /** All Workloads as they are now. */
  public PersistentMap<ObjectKey, WorkloadState> all() {
    return workloads.snapshot();
  }

  public @Nullable WorkloadState find(ObjectKey key) {
    return workloads.get(key);
  }

  public AssumedStatuses assumptions() {
    return assumptions;
  }

  /** Whether pods of an admitted workload are not ready. */
  public boolean anyNotReady() {
    return index.anyNotReady();
  }

  private WorkloadState read(Workload workload, @Nullable WorkloadState known) {
    PodEnvironment environment = inventory.environment();
    return reader.read(workload, known, environment::adjusted, environment.devices());
  }

  public SecondPassQueue secondPasses() {
    return secondPasses;
  }

  /** The workload with the status that was decided for it. */
  public WorkloadState restated(WorkloadState old, Workload workload) {
    return reader.restated(old, workload);
  }

  /** Takes a Workload that was added or changed, or removes it where it is null. */
  public void put(ObjectKey key, @Nullable Workload workload, Instant now) {
    if (workload == null) {
      remove(key, now);
    } else {
      put(workload, now);
    }
  }

  private void put(Workload workload, Instant now) {
    WorkloadState old = workloads.get(ObjectKey.of(workload.metadata()));
    if (old == null) {
      replace(null, read(workload, null), now);
    } else if (!WorkloadChanges.outdated(old.workload(), workload)
        && !old.workload().equals(workload)) {
      replace(old, read(assumptions.merged(old.workload(), workload), old), now);
      if (!assumptions.isOpen(old.key())) {
        fairness.stored(old.key()); // the cluster says so
      }
    }
  }

  /**
   * Takes the answer of a write. Ignores it if the Workload is gone or has another uid, since an
   * answer may arrive after a deletion.
   */
  public void refresh(Workload workload, Instant now) {
    WorkloadState known = workloads.get(ObjectKey.of(workload.metadata()));
    if (known != null && known.uid().equals(workload.metadata().uid())) {
      put(workload, now);
    }
  }

  /** Whether a Workload of that name is known, with that uid unless it is empty. */
  public boolean isThere(ObjectKey key, String uid) {
    WorkloadState known = workloads.get(key);
    return known != null && (uid.isEmpty() || uid.equals(known.uid()));
  }

  /** The decided status is stored: places that the workload moved away from are free. */
  public void statusStored(ObjectKey key) {
    assumptions.confirm(key);
    fairness.stored(key);
    WorkloadState stored = workloads.get(key);
    if (stored != null) {
      inventory.topologies().hold(stored, false);
    }
  }

  /** The decided status could not be stored: the workload is again as the cluster has it. */
  public void statusLost(ObjectKey key, Instant now) {
    WorkloadState assumed = workloads.get(key);
    Workload stored = assumptions.revert(key);
    if (assumed != null && stored != null) {
      fairness.lost(assumed, now);
      replace(assumed, read(stored, assumed), now);
    }
  }

  /** Replaces the workload, whether the cluster reported the change or the engine decided it. */
  public void replace(@Nullable WorkloadState old, WorkloadState workload, Instant now) {
    keepHoldings(old, workload);
    fairness.changed(old, workload, now);
    keep(workload);
    index.put(old, workload);
    boolean stays =
        old != null
            && workload.admissible()
            && Objects.equals(old.localQueue(), workload.localQueue())
            && queueManager.isParked(workload.key())
            && !WorkloadChanges.reopens(old, workload);
    if (!stays) {
      enter(workload, now);
    }
  }

  private void keep(WorkloadState workload) {
    workloads.put(workload.key(), workload);
  }

  void keepHoldings(@Nullable WorkloadState old, WorkloadState workload) {
    inventory.topologies().hold(workload, assumptions.isOpen(workload.key()));
    secondPasses.look(workload);
    boolean held = old != null && old.holdsQuota();
    if (old != null && held && WorkloadChanges.holdsTheSame(old, workload)) {
      holdings.update(old, workload);
      if (old.priority() != workload.priority()) { // others may preempt it now
        released(old, null);
      }
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

  /**
   * Wakes the workloads that wait for what this one no longer holds, or may now lose to a
   * preemption.
   */
  private void released(WorkloadState old, @Nullable WorkloadState workload) {
    String queue = old.reservedIn();
    Set<FlavorResource> pairs = WorkloadChanges.released(old, workload);
    searchState.advance(queue);
    NodeName root = forest.rootOf(queue);
    if (root != null) {
      queueManager.released(root, pairs);
    }
  }

  /** Puts the workload in the queue that its LocalQueue names, or in none. */
  void enter(WorkloadState workload, Instant now) {
    String queue = workload.admissible() ? queueFor(workload) : null;
    QueueEntry entry = queue == null ? null : queueManager.find(queue);
    if (queue == null || entry == null) {
      queueManager.leave(workload.key());
      return;
    }
    Preemptor preemptor = entry.waiting().preemptor();
    queueManager.enter(workload, queue, lane(workload, entry.rules()), now);
    if (preemptor != null && preemptor.workload().equals(workload.key())) {
      queueManager.change(queue, waiting -> waiting.withPreemptor(preemptor));
    }
  }

  private @Nullable String queueFor(WorkloadState workload) {
    return LocalQueues.target(localQueues.find(workload.localQueue()));
  }

  private String lane(WorkloadState workload, QueueRules rules) {
    return fairness.orders(rules) ? String.valueOf(workload.localQueue()) : "";
  }

  private void remove(ObjectKey key, Instant now) {
    WorkloadState old = workloads.get(key);
    if (old == null) {
      return;
    }
    queueManager.leave(key);
    index.remove(old);
    searchState.forget(key);
    secondPasses.forget(key);
    inventory.topologies().release(key);
    assumptions.confirm(key);
    workloads.remove(key);
    if (old.holdsQuota()) {
      holdings.remove(old);
      released(old, null);
    }
    fairness.changed(old, null, now);
  }

  /**
   * Applies the LimitRanges again to the workloads of the namespace that hold no quota. The pods of
   * workloads with quota were created under the limits of that time, and keep them. At a start, the
   * engine may receive the workloads first: before the first cycle, a new LimitRange applies to all
   * workloads.
   *
   * @param isNew whether the engine did not know the LimitRange before
   */
  void readAgain(String namespace, boolean isNew, Instant now) {
    PersistentMap<ObjectKey, WorkloadState> all = all();
    var entries = all.iterator(all.rank(new ObjectKey(namespace, "")));
    while (entries.hasNext()) {
      WorkloadState workload = entries.next().getValue();
      if (!workload.key().namespace().equals(namespace)) {
        return;
      }
      readAgain(workload, isNew, now);
    }
  }

  /** The same with RuntimeClasses and devices for the workloads of every namespace. */
  void readAllAgain(boolean isNew, Instant now) {
    all().values().forEach(it -> readAgain(it, isNew, now));
  }

  /** Counts the devices again for workloads that name the template and hold no quota. */
  void claimantsReadAgain(ObjectKey template, Instant now) {
    for (ObjectKey key : index.claimantsOf(template)) {
      WorkloadState workload = workloads.get(key);
      if (workload != null) {
        readAgain(workload, false, now);
      }
    }
  }

  /**
   * Counts the devices again for workloads that hold no quota and whose devices count as what
   * ResourceSlices say; returns their namespaces.
   */
  Set<String> slicedReadAgain(Instant now) {
    DeviceCatalog devices = inventory.environment().devices();
    Set<String> namespaces = new TreeSet<>();
    for (WorkloadState workload : all().values()) {
      if (!workload.holdsQuota() && reader.readsSlices(workload.workload(), devices)) {
        namespaces.add(workload.key().namespace());
        readAgain(workload, false, now);
      }
    }
    return namespaces;
  }

  private void readAgain(WorkloadState workload, boolean isNew, Instant now) {
    boolean holds = workload.holdsQuota();
    boolean wasThereBefore = isNew && !searchState.hasBegun();
    if (workload.finished() || (holds && !wasThereBefore)) {
      return;
    }
    WorkloadState read = read(workload.workload(), workload);
    if (!read.shape().equals(workload.shape())) {
      if (holds) {
        inventory.topologies().release(workload.key()); // else it keeps the places as they are
      }
      replace(workload, read, now);
    }
  }

  public boolean backoffOver(ObjectKey key, Instant now) {
    WorkloadState workload = workloads.get(key);
    return workload == null || workload.backoffOver(now);
  }

  /** Every workload of the LocalQueue enters the ClusterQueue that the LocalQueue names. */
  void enterAll(ObjectKey localQueue, Instant now) {
    for (ObjectKey key : index.waitingFor(localQueue)) {
      WorkloadState workload = workloads.get(key);
      if (workload != null) {
        enter(workload, now);
      }
    }
  }

  /** The variant of the same parent that is admitted, or null. */
  public @Nullable WorkloadState admittedVariant(WorkloadState variant) {
    String parent = variant.parentUid();
    List<ObjectKey> all = parent == null ? List.of() : index.variantsOf(parent);
    for (ObjectKey key : all) {
      WorkloadState other = workloads.get(key);
      if (other != null && other.isTrue(ADMITTED) && !other.key().equals(variant.key())) {
        return other;
      }
    }
    return null;
  }

  /** The same workload with another status, which leaves it in the queue where it is. */
  public void update(WorkloadState old, WorkloadState workload) {
    if (old != workload) { // most verdicts say what the last one said
      keepHoldings(old, workload);
      keep(workload);
    }
  }
}
