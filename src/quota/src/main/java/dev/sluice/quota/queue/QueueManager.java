package dev.sluice.quota.queue;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.persistent.ForkableMap;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.persistent.SnapshotMap;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All ClusterQueues with the workloads that wait in them. Indexes find the queues that an event
 * wakes without visiting the others. For one thread.
 */
public final class QueueManager {
  /** A queue, and where a workload stands in it. */
  private record Seat(String queue, PendingQueue.Member member) {}

  private final SnapshotMap<String, QueueEntry> queues;
  private final ForkableMap<ObjectKey, Seat> seats;
  private final NavigableSet<String> ready; // as many as a cycle looks at, so a fork copies it
  private final Backoffs backoffs;
  private final AwaitedEvents awaited;
  private final WaitingOrders orders;

  /** No queues. */
  public QueueManager() {
    this.queues = new SnapshotMap<>();
    this.seats = new ForkableMap<>();
    this.ready = new TreeSet<>();
    this.backoffs = new Backoffs();
    this.awaited = new AwaitedEvents();
    this.orders = new WaitingOrders();
  }

  private QueueManager(QueueManager other) {
    this.queues = other.queues.fork();
    this.seats = other.seats.fork();
    this.ready = new TreeSet<>(other.ready);
    this.backoffs = other.backoffs.fork();
    this.awaited = other.awaited.fork();
    this.orders = other.orders.fork();
  }

  /** A copy with the same queues that changes independently. */
  public QueueManager fork() {
    return new QueueManager(this);
  }

  /** All queues as they are now. */
  public PersistentMap<String, QueueEntry> queues() {
    return queues.snapshot();
  }

  /** The orders of the lines of snapshots; for any thread. */
  public WaitingOrders orders() {
    return orders;
  }

  public @Nullable QueueEntry find(String queue) {
    return queues.get(queue);
  }

  /** The active queues whose head must be considered, in order. */
  public List<String> ready() {
    return new ArrayList<>(ready);
  }

  public void put(String name, QueueEntry entry) {
    QueueEntry before = queues.get(name);
    queues.put(name, entry);
    boolean isReady = entry.ready();
    if (before == null || before.ready() != isReady) {
      keepReady(name, isReady);
    }
  }

  private void keepReady(String name, boolean isReady) {
    if (isReady) {
      ready.add(name);
    } else {
      ready.remove(name);
    }
  }

  /** Removes the queue; its pending workloads are in no queue. */
  public void remove(String name) {
    QueueEntry entry = queues.get(name);
    if (entry == null) {
      return;
    }
    entry.waiting().members().forEach(this::leave);
    awaited.removeQuota(name);
    queues.remove(name);
    ready.remove(name);
    orders.remove(name);
  }

  /** The queue the workload waits in, or null. */
  public @Nullable String queueOf(ObjectKey workload) {
    Seat seat = seats.get(workload);
    return seat == null ? null : seat.queue();
  }

  public boolean isParked(ObjectKey workload) {
    return parkedFor(workload) != null;
  }

  /** What the workload, which is parked, waits for; null for one that is not parked. */
  public @Nullable Interest parkedFor(ObjectKey workload) {
    Seat seat = seats.get(workload);
    QueueEntry entry = seat == null ? null : queues.get(seat.queue());
    return seat == null || entry == null
        ? null
        : entry.waiting().parkedFor(workload, seat.member());
  }

  /** Parks the workload, which is pending, and with it all that are like it in its queue. */
  public void parkLane(ObjectKey workload, Interest interest) {
    Seat seat = seats.get(workload);
    if (seat != null) {
      change(seat.queue(), waiting -> waiting.parkLane(workload, seat.member(), interest));
    }
  }

  /** Parks the workload, which waits, and no other one. */
  public void parkAlone(ObjectKey workload, Interest interest) {
    Seat seat = seats.get(workload);
    if (seat != null) {
      change(seat.queue(), waiting -> waiting.parkAlone(workload, interest));
    }
  }

  /** The workload waits in that queue from now on; parked alone until its backoff is over. */
  public void enter(WorkloadState workload, String queue, String lane, Instant now) {
    leave(workload.key());
    QueueEntry entry = queues.get(queue);
    if (entry == null) {
      throw new IllegalArgumentException(queue + " (expected: a known ClusterQueue)");
    }
    var own = new Lane(lane, workload.shape().number());
    PendingQueue waiting = entry.waiting().with(QueuePosition.of(workload), own);
    PendingQueue.Member member = waiting.member(workload.key());
    if (member != null) { // always, since it has just been added
      seats.put(workload.key(), new Seat(queue, member));
    }
    if (!workload.backoffOver(now)) {
      waiting = waiting.parkAlone(workload.key(), Interest.NONE);
      backoffs.schedule(workload);
    }
    put(queue, entry.with(waiting));
  }

  /** The workload waits nowhere. */
  public void leave(ObjectKey workload) {
    backoffs.forget(workload);
    Seat seat = seats.remove(workload);
    QueueEntry entry = seat == null ? null : queues.get(seat.queue());
    if (seat != null && entry != null) {
      PendingQueue rest = entry.waiting().without(workload);
      Preemptor preemptor = rest.preemptor();
      boolean gone = preemptor != null && preemptor.workload().equals(workload);
      put(seat.queue(), entry.with(gone ? rest.withPreemptor(null) : rest));
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
    QueueEntry entry = queues.get(queue);
    if (entry != null) {
      PendingQueue changed = change.apply(entry.waiting());
      if (changed != entry.waiting()) {
        put(queue, entry.with(changed));
      }
    }
  }

  /**
   * Somebody of the queue was parked and waits for that: for room, and in the tree with that root
   * for quota.
   *
   * @param root null where the queue has no tree
   */
  public void await(String queue, @Nullable NodeName root, Interest interest) {
    awaited.add(queue, root, interest);
  }

  /** Somebody of the queue was parked and waits for a change of that namespace, its own. */
  public void awaitNamespace(String queue, String namespace) {
    awaited.addNamespace(queue, namespace);
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
    QueueEntry entry = queues.get(queue);
    if (entry != null) {
      put(queue, entry.blockedUntil(interest));
    }
  }

  private void unblock(String queue) {
    QueueEntry entry = queues.get(queue);
    if (entry != null && entry.blocked() != null) {
      put(queue, entry.unblocked());
    }
  }

  /** Requeues the workloads of the queue whose interest matches the predicate. */
  public void wake(String queue, Predicate<Interest> what) {
    QueueEntry entry = queues.get(queue);
    if (entry != null) {
      wake(queue, entry, what);
    }
  }

  /** Whether any of them waited for it. */
  private boolean wake(String queue, QueueEntry entry, Predicate<Interest> what) {
    PendingQueue waiting = entry.waiting().wake(what);
    boolean ofHead = entry.blocked() != null && what.test(entry.blocked());
    boolean any = waiting != entry.waiting() || ofHead;
    if (any) {
      put(queue, entry.with(waiting));
    }
    return any;
  }

  /**
   * The pairs were released in the tree with that root, or their quotas changed: requeues exactly
   * the workloads that wait for them.
   */
  public void released(NodeName root, Set<FlavorResource> pairs) {
    for (String queue : awaited.ofRelease(root, pairs)) {
      QueueEntry entry = queues.get(queue);
      if (entry == null || !wake(queue, entry, interest -> interest.inAny(pairs))) {
        awaited.remove(root, queue, pairs); // nothing there waits for them any more
      }
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
    QueueEntry entry = queues.get(queue);
    if (entry == null) {
      return found;
    }
    if (entry.ready() != ready.contains(queue)) {
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

  /**
   * The namespace changed: requeues exactly its workloads that wait for that. A queue that its head
   * blocks is looked at again, since a head that the queue no longer selects would not block it.
   */
  public void wakeNamespace(String namespace) {
    for (String queue : awaited.takeNamespace(namespace)) {
      change(queue, own -> own.wakeNamespace(namespace));
      QueueEntry entry = queues.get(queue);
      if (entry != null && entry.blocked() != null && entry.blocked().namespace()) {
        put(queue, entry.unblocked());
      }
    }
  }
}
