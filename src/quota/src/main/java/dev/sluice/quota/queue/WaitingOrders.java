package dev.sluice.quota.queue;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.PersistentMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The order of each ClusterQueue whose line was asked for, as it was then: the next line is made of
 * what has changed since. Thread-safe; snapshots of different times may share it.
 */
public final class WaitingOrders {
  private final Map<String, WaitingOrder> known;

  /** No orders. */
  public WaitingOrders() {
    this.known = new ConcurrentHashMap<>();
  }

  private WaitingOrders(Map<String, WaitingOrder> known) {
    this.known = new ConcurrentHashMap<>(known);
  }

  WaitingOrders fork() {
    return new WaitingOrders(known);
  }

  /**
   * The order of the ClusterQueue with those members.
   *
   * @param localQueue of a workload; those without one have no place
   */
  @SuppressWarnings("ReferenceEquality") // the same object is kept as long as nothing changes
  WaitingOrder update(
      String clusterQueue,
      PersistentMap<ObjectKey, PendingQueue.Member> members,
      Function<ObjectKey, @Nullable ObjectKey> localQueue) {
    WaitingOrder before = known.getOrDefault(clusterQueue, WaitingOrder.EMPTY);
    WaitingOrder order = before.after(members, localQueue);
    if (order != before) {
      known.put(clusterQueue, order);
    }
    return order;
  }

  void remove(String clusterQueue) {
    known.remove(clusterQueue);
  }
}
