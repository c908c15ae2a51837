package dev.sluice.quota.queue;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.Difference;
import dev.sluice.quota.persistent.PersistentMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All that wait in one ClusterQueue by their positions, with the LocalQueue of each, together and
 * for each LocalQueue. Immutable; the order after a few changes is made in O(log n) for each.
 *
 * @param members what it was made of
 */
record WaitingOrder(
    PersistentMap<ObjectKey, PendingQueue.Member> members,
    PersistentMap<QueuePosition, ObjectKey> all,
    PersistentMap<ObjectKey, PersistentMap<QueuePosition, ObjectKey>> byLocalQueue) {
  /** The order of nobody. */
  static final WaitingOrder EMPTY =
      new WaitingOrder(PersistentMap.empty(), PersistentMap.empty(), PersistentMap.empty());

  /** If more than one in so many has changed, the queue is sorted again, which costs less. */
  private static final int SHARE = 16;

  /**
   * The order of the members, from this one as it was before.
   *
   * @param localQueue of a workload; those without one have no place
   */
  @SuppressWarnings("ReferenceEquality") // another object is another version
  WaitingOrder after(
      PersistentMap<ObjectKey, PendingQueue.Member> now,
      Function<ObjectKey, @Nullable ObjectKey> localQueue) {
    if (now == members) {
      return this;
    }
    Optional<List<Difference.Change<ObjectKey, PendingQueue.Member>>> changes =
        Difference.between(members, now, now.size() / SHARE);
    return changes.isEmpty() ? sorted(now, localQueue) : changed(now, changes.get(), localQueue);
  }

  private WaitingOrder changed(
      PersistentMap<ObjectKey, PendingQueue.Member> now,
      List<Difference.Change<ObjectKey, PendingQueue.Member>> changes,
      Function<ObjectKey, @Nullable ObjectKey> localQueue) {
    var order = all;
    var ofLocalQueues = byLocalQueue;
    for (var change : changes) {
      if (change.before() != null) {
        QueuePosition gone = change.before().position();
        ObjectKey queue = order.find(gone);
        order = order.without(gone);
        if (queue != null) {
          ofLocalQueues = with(ofLocalQueues, queue, own(ofLocalQueues, queue).without(gone));
        }
      }
      ObjectKey queue = change.after() == null ? null : localQueue.apply(change.key());
      if (change.after() != null && queue != null) {
        QueuePosition come = change.after().position();
        order = order.with(come, queue);
        ofLocalQueues = with(ofLocalQueues, queue, own(ofLocalQueues, queue).with(come, queue));
      }
    }
    return new WaitingOrder(now, order, ofLocalQueues);
  }

  /** Those of the LocalQueue. */
  PersistentMap<QueuePosition, ObjectKey> of(ObjectKey localQueue) {
    return own(byLocalQueue, localQueue);
  }

  private static PersistentMap<QueuePosition, ObjectKey> own(
      PersistentMap<ObjectKey, PersistentMap<QueuePosition, ObjectKey>> queues, ObjectKey queue) {
    PersistentMap<QueuePosition, ObjectKey> own = queues.find(queue);
    return own == null ? PersistentMap.empty() : own;
  }

  private static PersistentMap<ObjectKey, PersistentMap<QueuePosition, ObjectKey>> with(
      PersistentMap<ObjectKey, PersistentMap<QueuePosition, ObjectKey>> queues,
      ObjectKey queue,
      PersistentMap<QueuePosition, ObjectKey> own) {
    return own.isEmpty() ? queues.without(queue) : queues.with(queue, own);
  }

  private static WaitingOrder sorted(
      PersistentMap<ObjectKey, PendingQueue.Member> members,
      Function<ObjectKey, @Nullable ObjectKey> localQueue) {
    List<QueuePosition> positions = new ArrayList<>(members.size());
    Map<ObjectKey, ObjectKey> queues = HashMap.newHashMap(members.size());
    members.forEach(
        member -> {
          ObjectKey queue = localQueue.apply(member.getKey());
          if (queue != null) {
            positions.add(member.getValue().position());
            queues.put(member.getKey(), queue);
          }
        });
    positions.sort(null);
    Function<QueuePosition, ObjectKey> queueOf =
        position -> Objects.requireNonNull(queues.get(position.workload()));
    Map<ObjectKey, List<QueuePosition>> byQueue = new HashMap<>();
    for (QueuePosition position : positions) {
      byQueue.computeIfAbsent(queueOf.apply(position), _ -> new ArrayList<>()).add(position);
    }
    PersistentMap<ObjectKey, PersistentMap<QueuePosition, ObjectKey>> ofLocalQueues =
        PersistentMap.empty();
    for (var own : byQueue.entrySet()) {
      ofLocalQueues =
          ofLocalQueues.with(
              own.getKey(), PersistentMap.ofSorted(own.getValue(), _ -> own.getKey()));
    }
    return new WaitingOrder(members, PersistentMap.ofSorted(positions, queueOf), ofLocalQueues);
  }
}
