package dev.sluice.quota.queue;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All ClusterQueues with the workloads that wait in them. Indexes find the queues that an event
 * wakes without visiting the others. For one thread.
 */
public final class QueueManager {
  private record Due(Instant time, ObjectKey workload) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = time.compareTo(other.time);
      return byTime != 0 ? byTime : workload.compareTo(other.workload);
    }
  }

  /**
   * Of one tree: the queues with workloads that wait for each pair, and for any change of shares.
   */
  private record Awaited(Map<FlavorResource, Set<String>> pairs, Set<String> shares) {
    Awaited() {
      this(new HashMap<>(), new TreeSet<>());
    }

    void add(String queue, Interest interest) {
      interest.pairs().forEach(p -> pairs.computeIfAbsent(p, _ -> new TreeSet<>()).add(queue));
      if (interest.shares()) {
        shares.add(queue);
      }
    }

    boolean has(String queue, FlavorResource pair) {
      return pairs.getOrDefault(pair, Set.of()).contains(queue);
    }

    void remove(String queue, FlavorResource pair) {
      Set<String> waiting = pairs.get(pair);
      if (waiting != null && waiting.remove(queue) && waiting.isEmpty()) {
        pairs.remove(pair);
      }
    }

    void remove(String queue) {
      pairs.values().forEach(waiting -> waiting.remove(queue));
      pairs.values().removeIf(Set::isEmpty);
      shares.remove(queue);
    }

    boolean isEmpty() {
      return pairs.isEmpty() && shares.isEmpty();
    }
  }

  // the same content twice: persistent for snapshots, and hashed for lookups
  private PersistentMap<String, QueueEntry> queues = PersistentMap.empty();
  private final Map<String, QueueEntry> byName = new HashMap<>();
  private final Map<ObjectKey, String> queueOf = new HashMap<>();
  private final NavigableSet<String> ready = new TreeSet<>();
  private final TreeMap<Due, Due> dues = new TreeMap<>();
  private final Map<ObjectKey, Due> dueOf = new HashMap<>();
  private final Map<NodeName, Awaited> awaiting = new HashMap<>();
  private final Map<String, NodeName> awaitedUnder = new HashMap<>();
  // per namespace, the queues with inadmissible workloads that wait for a change of it
  private final Map<String, Set<String>> awaitingNamespace = new HashMap<>();
  // per flavor, the queues with inadmissible workloads that wait for room in its domains
  private final Map<String, Set<String>> awaitingRoom = new HashMap<>();

  public PersistentMap<String, QueueEntry> queues() {
    return queues;
  }

  public @Nullable QueueEntry find(String queue) {
    return byName.get(queue);
  }

  /** The active queues whose head must be considered, in order. */
  public List<String> ready() {
    return List.copyOf(ready);
  }

  public void put(String name, QueueEntry entry) {
    queues = queues.with(name, entry);
    byName.put(name, entry);
    if (entry.ready()) {
      ready.add(name);
    } else {
      ready.remove(name);
    }
  }

  /** Removes the queue; its pending workloads are in no queue. */
  public void remove(String name) {
    QueueEntry entry = byName.get(name);
    if (entry == null) {
      return;
    }
    entry.waiting().pending().forEach(this::leave);
    entry.waiting().inadmissible().forEach(this::leave);
    forgetAwaited(name);
    queues = queues.without(name);
    byName.remove(name);
    ready.remove(name);
  }

  /** The queue the workload waits in, or null. */
  public @Nullable String queueOf(ObjectKey workload) {
    return queueOf.get(workload);
  }

  public boolean isParked(ObjectKey workload) {
    String queue = queueOf(workload);
    QueueEntry entry = queue == null ? null : byName.get(queue);
    return entry != null && entry.waiting().isParked(workload);
  }

  /** The workload waits in that queue from now on; parked alone until its backoff is over. */
  public void enter(WorkloadState workload, String queue, String lane, Instant now) {
    leave(workload.key());
    QueueEntry entry = byName.get(queue);
    if (entry == null) {
      throw new IllegalArgumentException(queue + " (expected: a known ClusterQueue)");
    }
    queueOf.put(workload.key(), queue);
    var own = new Lane(lane, workload.shape().number());
    PendingQueue waiting = entry.waiting().with(QueuePosition.of(workload), own);
    if (!workload.backoffOver(now)) {
      waiting = waiting.parkAlone(workload.key(), Interest.NONE);
      schedule(workload);
    }
    put(queue, entry.with(waiting));
  }

  private void schedule(WorkloadState workload) {
    Instant until = workload.backoffUntil();
    if (until != null && until.isBefore(Instant.MAX)) {
      var due = new Due(until, workload.key());
      dues.put(due, due);
      dueOf.put(workload.key(), due);
    }
  }

  /** The workload waits nowhere. */
  public void leave(ObjectKey workload) {
    Due due = dueOf.remove(workload);
    if (due != null) {
      dues.remove(due);
    }
    String queue = queueOf.remove(workload);
    QueueEntry entry = queue == null ? null : byName.get(queue);
    if (queue != null && entry != null) {
      PendingQueue rest = entry.waiting().without(workload);
      Preemptor preemptor = rest.preemptor();
      boolean gone = preemptor != null && preemptor.workload().equals(workload);
      put(queue, entry.with(gone ? rest.withPreemptor(null) : rest));
    }
  }

  /** When the next backoff ends, or null if there is none. */
  public @Nullable Instant nextDue() {
    return dues.isEmpty() ? null : dues.firstKey().time();
  }

  /** Those whose backoff is over by now, earliest first; they are pending from here. */
  public void reopenDue(Instant now) {
    while (!dues.isEmpty() && !dues.firstKey().time().isAfter(now)) {
      Due due = dues.pollFirstEntry().getKey();
      dueOf.remove(due.workload());
      String queue = queueOf(due.workload());
      if (queue != null) {
        change(queue, waiting -> waiting.reopened(due.workload()));
      }
    }
  }

  public void change(String queue, UnaryOperator<PendingQueue> change) {
    QueueEntry entry = byName.get(queue);
    if (entry != null) {
      PendingQueue changed = change.apply(entry.waiting());
      if (changed != entry.waiting()) {
        put(queue, entry.with(changed));
      }
    }
  }

  /** Somebody of the queue was parked and waits for that, in the tree with that root. */
  public void await(String queue, NodeName root, Interest interest) {
    awaitedUnder.put(queue, root);
    awaiting.computeIfAbsent(root, _ -> new Awaited()).add(queue, interest);
  }

  /** Somebody of the queue was parked and waits for a change of that namespace, its own. */
  public void awaitNamespace(String queue, String namespace) {
    awaitingNamespace.computeIfAbsent(namespace, _ -> new TreeSet<>()).add(queue);
  }

  /** Somebody of the queue was parked and waits for room in the domains of those flavors. */
  public void awaitRoom(String queue, Interest interest) {
    for (String flavor : interest.rooms()) {
      awaitingRoom.computeIfAbsent(flavor, _ -> new TreeSet<>()).add(queue);
    }
  }

  /**
   * There is more room in the domains of those flavors: requeues exactly the workloads that wait
   * for it.
   */
  public void roomChanged(Set<String> flavors) {
    Set<String> woken = new TreeSet<>();
    for (String flavor : flavors) {
      Set<String> waiting = awaitingRoom.remove(flavor);
      woken.addAll(waiting == null ? Set.of() : waiting);
    }
    for (String queue : woken) {
      wake(queue, interest -> interest.inAnyRoom(flavors));
    }
  }

  /** The head of the strict queue waits for that, and with it the whole queue. */
  public void block(String queue, Interest interest) {
    QueueEntry entry = byName.get(queue);
    if (entry != null) {
      put(queue, entry.blockedUntil(interest));
    }
  }

  private void unblock(String queue) {
    QueueEntry entry = byName.get(queue);
    if (entry != null && entry.blocked() != null) {
      put(queue, entry.unblocked());
    }
  }

  /** Requeues the workloads of the queue whose interest matches the predicate. */
  public void wake(String queue, Predicate<Interest> what) {
    QueueEntry entry = byName.get(queue);
    boolean ofHead = entry != null && entry.blocked() != null && what.test(entry.blocked());
    change(queue, waiting -> waiting.wake(what));
    if (ofHead) {
      unblock(queue);
    }
  }

  /**
   * The pairs were released in the tree with that root, or their quotas changed: requeues exactly
   * the workloads that wait for them.
   */
  public void released(NodeName root, Set<FlavorResource> pairs) {
    Awaited own = awaiting.get(root);
    if (own == null) {
      return;
    }
    Set<String> woken = new TreeSet<>(own.shares());
    for (FlavorResource pair : pairs) {
      woken.addAll(own.pairs().getOrDefault(pair, Set.of()));
    }
    for (String queue : woken) {
      wake(queue, interest -> interest.inAny(pairs));
      QueueEntry entry = byName.get(queue);
      List<Interest> left = entry == null ? List.of() : interests(entry);
      for (FlavorResource pair : pairs) {
        if (left.stream().noneMatch(interest -> interest.pairs().contains(pair))) {
          own.remove(queue, pair);
        }
      }
      own.shares().remove(queue); // they were all woken
    }
  }

  /**
   * Weights in the tree with that root changed: requeues exactly the workloads that depend on
   * shares.
   */
  public void reweighted(NodeName root) {
    Awaited own = awaiting.get(root);
    if (own != null) {
      own.shares().forEach(queue -> wake(queue, Interest::shares));
      own.shares().clear();
    }
  }

  /** Everybody parked in the queue is pending again, except during a backoff. */
  public void wakeAll(String queue, Predicate<ObjectKey> backoffOver) {
    change(queue, waiting -> waiting.wakeAll(backoffOver));
    unblock(queue);
    forgetAwaited(queue);
  }

  private void forgetAwaited(String queue) {
    NodeName root = awaitedUnder.remove(queue);
    Awaited own = root == null ? null : awaiting.get(root);
    if (root == null || own == null) {
      return;
    }
    own.remove(queue);
    if (own.isEmpty()) {
      awaiting.remove(root);
    }
  }

  /**
   * One sentence for each event that would not requeue a waiting workload of the queue, of a tree
   * with that root; empty if there is none.
   */
  public List<String> unfindable(String queue, @Nullable NodeName root) {
    List<String> found = new ArrayList<>();
    QueueEntry entry = byName.get(queue);
    if (entry == null) {
      return found;
    }
    if (entry.ready() != ready.contains(queue) || !entry.equals(queues.find(queue))) {
      found.add("ClusterQueue " + queue + " would not be looked at as it should in a cycle");
    }
    Awaited own = root == null ? null : awaiting.getOrDefault(root, new Awaited());
    for (Interest interest : interests(entry)) {
      for (FlavorResource pair : own == null ? Set.<FlavorResource>of() : interest.pairs()) {
        if (own != null && !own.has(queue, pair)) {
          found.add("ClusterQueue " + queue + " would not hear of quota released for " + pair);
        }
      }
      if (own != null && interest.shares() && !own.shares().contains(queue)) {
        found.add("ClusterQueue " + queue + " would not hear of other shares");
      }
      for (String flavor : interest.rooms()) {
        if (!awaitingRoom.getOrDefault(flavor, Set.of()).contains(queue)) {
          found.add("ClusterQueue " + queue + " would not hear of room in flavor " + flavor);
        }
      }
    }
    for (ObjectKey workload : entry.waiting().awaitingNamespace()) {
      String namespace = workload.namespace();
      if (!awaitingNamespace.getOrDefault(namespace, Set.of()).contains(queue)) {
        found.add("ClusterQueue " + queue + " would not hear of namespace " + namespace);
      }
    }
    return found;
  }

  private static List<Interest> interests(QueueEntry entry) {
    List<Interest> interests = new ArrayList<>(entry.waiting().interests());
    if (entry.blocked() != null) {
      interests.add(entry.blocked());
    }
    return interests;
  }

  /** The namespace changed: requeues exactly its workloads that wait for that. */
  public void wakeNamespace(String namespace) {
    Set<String> waiting = awaitingNamespace.remove(namespace);
    for (String queue : waiting == null ? Set.<String>of() : waiting) {
      change(queue, own -> own.wakeNamespace(namespace));
    }
  }
}
