package dev.sluice.quota.cache;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.PODS_READY;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.ResourceVersion;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.assign.FlavorSearchState;
import dev.sluice.quota.history.LocalQueueFairness;
import dev.sluice.quota.inventory.Inventory;
import dev.sluice.quota.inventory.LocalQueues;
import dev.sluice.quota.persistent.PersistentMap;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Every Workload, with the indexes that find them, kept in step with the queues they wait in and
 * the quota they hold. For one thread.
 */
public final class WorkloadCache {
  private final WorkloadReader reader;
  private final Inventory inventory;
  private final QuotaHolders holdings;
  private final CohortForest forest;
  private final QueueManager room;
  private final LocalQueues localQueues;
  private final LocalQueueFairness fairQueues;
  private final FlavorSearchState memory;
  private final SecondPassQueue secondPasses;
  private final AssumedStatuses assumptions = new AssumedStatuses();
  private final Map<ObjectKey, Set<ObjectKey>> waitingFor = new HashMap<>();
  private final Map<String, Set<ObjectKey>> variants = new HashMap<>();
  private final DeviceClaimants claimants = new DeviceClaimants();
  private final Set<ObjectKey> notReady = new HashSet<>();
  // the same twice: sorted and persistent for snapshots, and by hash for all who only ask
  private PersistentMap<ObjectKey, WorkloadState> workloads = PersistentMap.empty();
  private final Map<ObjectKey, WorkloadState> byKey = new HashMap<>();

  public WorkloadCache(
      WorkloadReader reader,
      Inventory inventory,
      QuotaHolders holdings,
      CohortForest forest,
      QueueManager room,
      LocalQueues localQueues,
      LocalQueueFairness fairQueues,
      FlavorSearchState memory,
      SecondPassQueue secondPasses) {
    this.reader = reader;
    this.inventory = inventory;
    this.holdings = holdings;
    this.forest = forest;
    this.room = room;
    this.localQueues = localQueues;
    this.fairQueues = fairQueues;
    this.memory = memory;
    this.secondPasses = secondPasses;
  }

  public PersistentMap<ObjectKey, WorkloadState> all() {
    return workloads;
  }

  public @Nullable WorkloadState find(ObjectKey key) {
    return byKey.get(key);
  }

  public AssumedStatuses assumptions() {
    return assumptions;
  }

  /** Whether pods of an admitted workload are not ready. */
  public boolean anyNotReady() {
    return !notReady.isEmpty();
  }

  private WorkloadState read(Workload workload, @Nullable WorkloadState known) {
    return reader.read(workload, known, inventory::adjusted, inventory.devices());
  }

  public SecondPassQueue secondPasses() {
    return secondPasses;
  }

  /** The workload with the status that was decided for it. */
  public WorkloadState restated(WorkloadState old, Workload workload) {
    return reader.restated(old, workload);
  }

  /** The Workload is now so. */
  public void put(Workload workload, Instant now) {
    WorkloadState old = byKey.get(ObjectKey.of(workload.metadata()));
    if (old == null) {
      replace(null, read(workload, null), now);
    } else if (!outdated(old.workload(), workload) && !old.workload().equals(workload)) {
      replace(old, read(assumptions.merged(old.workload(), workload), old), now);
      if (!assumptions.isOpen(old.key())) {
        fairQueues.stored(old.key()); // the cluster says so
      }
    }
  }

  /** The Workload is now so if it is still there: the answer of a call may come after its end. */
  public void refresh(Workload workload, Instant now) {
    WorkloadState known = byKey.get(ObjectKey.of(workload.metadata()));
    if (known != null && known.uid().equals(workload.metadata().uid())) {
      put(workload, now);
    }
  }

  /** Whether a Workload of that name is known, with that uid unless it is empty. */
  public boolean isThere(ObjectKey key, String uid) {
    WorkloadState known = byKey.get(key);
    return known != null && (uid.isEmpty() || uid.equals(known.uid()));
  }

  /**
   * Whether the second is no newer than the first, as far as their versions tell; the API server
   * counts them up over all Workloads, so that also holds for two of one name.
   */
  private static boolean outdated(Workload known, Workload told) {
    OptionalLong knownVersion = ResourceVersion.number(known.metadata().resourceVersion());
    OptionalLong toldVersion = ResourceVersion.number(told.metadata().resourceVersion());
    return knownVersion.isPresent()
        && toldVersion.isPresent()
        && toldVersion.getAsLong() <= knownVersion.getAsLong();
  }

  /** What was decided is stored: places that it moved away from are free. */
  public void statusStored(ObjectKey key) {
    assumptions.confirm(key);
    fairQueues.stored(key);
    WorkloadState stored = byKey.get(key);
    if (stored != null) {
      inventory.sites().hold(stored, false);
    }
  }

  /** What was decided could not be stored: back to what the cluster has (reference: 4.11). */
  public void statusLost(ObjectKey key, Instant now) {
    WorkloadState assumed = byKey.get(key);
    Workload stored = assumptions.revert(key);
    if (assumed != null && stored != null) {
      fairQueues.lost(assumed, now);
      replace(assumed, read(stored, assumed), now);
    }
  }

  /** The workload is so from here on, whoever says so. */
  public void replace(@Nullable WorkloadState old, WorkloadState workload, Instant now) {
    keepHoldings(old, workload);
    fairQueues.changed(old, workload, now);
    keep(workload);
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

  private void keep(WorkloadState workload) {
    workloads = workloads.with(workload.key(), workload);
    byKey.put(workload.key(), workload);
  }

  void keepHoldings(@Nullable WorkloadState old, WorkloadState workload) {
    inventory.sites().hold(workload, assumptions.isOpen(workload.key()));
    secondPasses.look(workload);
    boolean held = old != null && old.holdsQuota();
    if (old != null && held && holdsTheSame(old, workload)) {
      holdings.update(workload);
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

  private static boolean holdsTheSame(WorkloadState old, WorkloadState workload) {
    return workload.holdsQuota()
        && old.reservedIn().equals(workload.reservedIn())
        && old.usage().equals(workload.usage());
  }

  /** What the workload held and does not hold any more, or may be made to give up. */
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
    memory.advance(queue);
    NodeName root = forest.trees().rootOf(queue);
    if (root != null) {
      room.released(root, pairs);
    }
  }

  private void index(@Nullable WorkloadState old, WorkloadState workload) {
    ObjectKey key = workload.key();
    if (old != null) {
      unindex(old);
    }
    ObjectKey localQueue = workload.localQueue();
    if (workload.admissible() && localQueue != null) {
      waitingFor.computeIfAbsent(localQueue, _ -> new TreeSet<>()).add(key);
    }
    claimants.add(workload);
    String parent = workload.parentUid();
    if (parent != null) {
      variants.computeIfAbsent(parent, _ -> new TreeSet<>()).add(key);
    }
    if (workload.holdsQuota() && workload.isTrue(ADMITTED) && !workload.isTrue(PODS_READY)) {
      notReady.add(key);
    }
  }

  private void unindex(WorkloadState old) {
    notReady.remove(old.key());
    claimants.remove(old);
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
  void enter(WorkloadState workload, Instant now) {
    String queue = workload.admissible() ? queueFor(workload) : null;
    QueueEntry entry = queue == null ? null : room.find(queue);
    if (queue == null || entry == null) {
      room.leave(workload.key());
      return;
    }
    Preemptor preemptor = entry.waiting().preemptor();
    room.enter(workload, queue, lane(workload, entry.rules()), now);
    if (preemptor != null && preemptor.workload().equals(workload.key())) {
      room.change(queue, waiting -> waiting.withPreemptor(preemptor));
    }
  }

  private @Nullable String queueFor(WorkloadState workload) {
    return LocalQueues.target(localQueues.find(workload.localQueue()));
  }

  private String lane(WorkloadState workload, QueueRules rules) {
    return fairQueues.orders(rules) ? String.valueOf(workload.localQueue()) : "";
  }

  public void remove(ObjectKey key, Instant now) {
    WorkloadState old = byKey.get(key);
    if (old == null) {
      return;
    }
    room.leave(key);
    unindex(old);
    memory.forget(key);
    secondPasses.forget(key);
    inventory.sites().release(key);
    assumptions.confirm(key);
    workloads = workloads.without(key);
    byKey.remove(key);
    if (old.holdsQuota()) {
      holdings.remove(old);
      released(old, null);
    }
    fairQueues.changed(old, null, now);
  }

  /** Adjusts anew the workloads of the namespace, or all, that hold no quota. */
  void readAgain(@Nullable String namespace, Instant now) {
    for (WorkloadState workload : workloads.values()) {
      boolean affected = namespace == null || workload.key().namespace().equals(namespace);
      if (affected) {
        readAgain(workload, now);
      }
    }
  }

  /** Counts anew the devices of the workloads that name the template and hold no quota. */
  void claimantsReadAgain(ObjectKey template, Instant now) {
    for (ObjectKey key : claimants.of(template)) {
      WorkloadState workload = byKey.get(key);
      if (workload != null) {
        readAgain(workload, now);
      }
    }
  }

  private void readAgain(WorkloadState workload, Instant now) {
    if (!workload.holdsQuota()) {
      WorkloadState read = read(workload.workload(), workload);
      if (!read.shape().equals(workload.shape())) {
        replace(workload, read, now);
      }
    }
  }

  public boolean backoffOver(ObjectKey key, Instant now) {
    WorkloadState workload = byKey.get(key);
    return workload == null || workload.backoffOver(now);
  }

  /** Everybody who names the LocalQueue enters the queue it leads to. */
  void enterAll(ObjectKey localQueue, Instant now) {
    for (ObjectKey key : List.copyOf(waitingFor.getOrDefault(localQueue, Set.of()))) {
      WorkloadState workload = byKey.get(key);
      if (workload != null) {
        enter(workload, now);
      }
    }
  }

  /** The variant of the same parent that is admitted, or null. */
  public @Nullable WorkloadState admittedVariant(WorkloadState variant) {
    String parent = variant.parentUid();
    Set<ObjectKey> all = parent == null ? Set.of() : variants.getOrDefault(parent, Set.of());
    for (ObjectKey key : all) {
      WorkloadState other = byKey.get(key);
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
