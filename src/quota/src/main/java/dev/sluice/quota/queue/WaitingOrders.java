package dev.sluice.quota.queue;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.PersistentMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
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
    this.known = Collections.synchronizedMap(new HashMap<>());
  }

  private WaitingOrders(WaitingOrders other) {
    this();
    synchronized (other.known) {
      known.putAll(other.known);
    }
  }

  WaitingOrders fork() {
    return new WaitingOrders(this);
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
