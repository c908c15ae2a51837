package dev.sluice.quota.queue;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.persistent.ForkableMap;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All ClusterQueues with the workloads that wait in them. Indexes find the queues that an event
 * wakes without visiting the others. For one thread.
 */
public final class QueueManager {
  // the same content twice: persistent for snapshots, and hashed for lookups
  private PersistentMap<String, QueueEntry> queues = PersistentMap.empty();
  private final ForkableMap<String, QueueEntry> byName;
  private final ForkableMap<ObjectKey, String> queueOf;
  private PersistentMap<String, String> ready = PersistentMap.empty();
  private final Backoffs backoffs;
  private final AwaitedEvents awaited;

  /** No queues. */
  public QueueManager() {
    this.byName = new ForkableMap<>();
    this.queueOf = new ForkableMap<>();
    this.backoffs = new Backoffs();
    this.awaited = new AwaitedEvents();
  }

  private QueueManager(QueueManager other) {
    this.queues = other.queues;
    this.byName = other.byName.fork();
    this.queueOf = other.queueOf.fork();
    this.ready = other.ready;
    this.backoffs = other.backoffs.fork();
    this.awaited = other.awaited.fork();
  }

  /** A copy with the same queues that changes independently. */
  public QueueManager fork() {
    return new QueueManager(this);
  }

  public PersistentMap<String, QueueEntry> queues() {
    return queues;
  }

  public @Nullable QueueEntry find(String queue) {
    return byName.get(queue);
  }

  /** The active queues whose head must be considered, in order. */
  public List<String> ready() {
    List<String> names = new ArrayList<>(ready.size());
    ready.keys().forEach(names::add);
    return names;
  }

  public void put(String name, QueueEntry entry) {
    queues = queues.with(name, entry);
    byName.put(name, entry);
    if (entry.ready() != ready.containsKey(name)) {
      ready = entry.ready() ? ready.with(name, name) : ready.without(name);
    }
  }

  /** Removes the queue; its pending workloads are in no queue. */
  public void remove(String name) {
    QueueEntry entry = byName.get(name);
    if (entry == null) {
      return;
    }
    entry.waiting().members().forEach(this::leave);
    awaited.removeQuota(name);
    queues = queues.without(name);
    byName.remove(name);
    ready = ready.without(name);
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
      backoffs.schedule(workload);
    }
    put(queue, entry.with(waiting));
  }

  /** The workload waits nowhere. */
  public void leave(ObjectKey workload) {
    backoffs.forget(workload);
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
    return backoffs.next();
  }

  /** Those whose backoff is over by now, earliest first; they are pending from here. */
  public void reopenDue(Instant now) {
    for (ObjectKey due = backoffs.takeOver(now); due != null; due = backoffs.takeOver(now)) {
      ObjectKey workload = due;
      String queue = queueOf(workload);
      if (queue != null) {
        change(queue, waiting -> waiting.reopened(workload));
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
    awaited.add(queue, root, interest);
  }

  /** Somebody of the queue was parked and waits for a change of that namespace, its own. */
  public void awaitNamespace(String queue, String namespace) {
    awaited.addNamespace(queue, namespace);
  }

  /** Somebody of the queue was parked and waits for room in the domains of those flavors. */
  public void awaitRoom(String queue, Interest interest) {
    awaited.addRooms(queue, interest);
  }

  /**
   * There is more room in the domains of those flavors: requeues exactly the workloads that wait
   * for it.
   */
  public void roomChanged(Set<String> flavors) {
    for (String queue : awaited.takeRooms(flavors)) {
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
    for (String queue : awaited.ofRelease(root, pairs)) {
      wake(queue, interest -> interest.inAny(pairs));
      QueueEntry entry = byName.get(queue);
      List<Interest> left = entry == null ? List.of() : interests(entry);
      for (FlavorResource pair : pairs) {
        if (left.stream().noneMatch(interest -> interest.pairs().contains(pair))) {
          awaited.removePair(root, queue, pair);
        }
      }
      awaited.removeShares(root, queue); // they were all woken
    }
  }

  /**
   * Weights in the tree with that root changed: requeues exactly the workloads that depend on
   * shares.
   */
  public void reweighted(NodeName root) {
    awaited.takeShares(root).forEach(queue -> wake(queue, Interest::shares));
  }

  /** Everybody parked in the queue is pending again, except during a backoff. */
  public void wakeAll(String queue, Predicate<ObjectKey> backoffOver) {
    change(queue, waiting -> waiting.wakeAll(backoffOver));
    unblock(queue);
    awaited.removeQuota(queue);
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
    if (entry.ready() != ready.containsKey(queue) || !entry.equals(queues.find(queue))) {
      found.add("ClusterQueue " + queue + " would not be looked at as it should in a cycle");
    }
    for (Interest interest : interests(entry)) {
      for (FlavorResource pair : root == null ? Set.<FlavorResource>of() : interest.pairs()) {
        if (root != null && !awaited.hasPair(root, queue, pair)) {
          found.add("ClusterQueue " + queue + " would not hear of quota released for " + pair);
        }
      }
      if (root != null && interest.shares() && !awaited.hasShares(root, queue)) {
        found.add("ClusterQueue " + queue + " would not hear of other shares");
      }
      for (String flavor : interest.rooms()) {
        if (!awaited.hasRoom(flavor, queue)) {
          found.add("ClusterQueue " + queue + " would not hear of room in flavor " + flavor);
        }
      }
    }
    for (ObjectKey workload : entry.waiting().awaitingNamespace()) {
      String namespace = workload.namespace();
      if (!awaited.hasNamespace(namespace, queue)) {
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
    for (String queue : awaited.takeNamespace(namespace)) {
      change(queue, own -> own.wakeNamespace(namespace));
    }
  }
}
