package dev.sluice.quota.inventory;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.queue.StopPolicy;
import dev.sluice.quota.persistent.ForkableIndex;
import dev.sluice.quota.persistent.PersistentMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The LocalQueues, by name and by ClusterQueue. For one thread. */
public final class LocalQueues {
  private PersistentMap<ObjectKey, LocalQueue> queues = PersistentMap.empty();
  private final ForkableIndex<String, ObjectKey> byClusterQueue;

  public LocalQueues() {
    this.byClusterQueue = new ForkableIndex<>();
  }

  private LocalQueues(LocalQueues other) {
    this.queues = other.queues;
    this.byClusterQueue = other.byClusterQueue.fork();
  }

  /** A copy with the same LocalQueues that changes independently. */
  public LocalQueues fork() {
    return new LocalQueues(this);
  }

  public PersistentMap<ObjectKey, LocalQueue> all() {
    return queues;
  }

  public @Nullable LocalQueue find(@Nullable ObjectKey key) {
    return key == null ? null : queues.find(key);
  }

  /** The LocalQueues of that ClusterQueue, in order. */
  public List<ObjectKey> of(String clusterQueue) {
    return byClusterQueue.of(clusterQueue);
  }

  /**
   * The ClusterQueue in which workloads of the LocalQueue are pending; null if there is none, as
   * while it is stopped or being deleted.
   */
  public static @Nullable String target(@Nullable LocalQueue queue) {
    return queue == null
            || queue.spec().stopPolicy() != StopPolicy.NONE
            || queue.metadata().deletionTimestamp() != null
        ? null
        : queue.spec().clusterQueue();
  }

  /** Replaces the LocalQueue, or removes it; answers the one before. */
  public @Nullable LocalQueue put(ObjectKey key, @Nullable LocalQueue queue) {
    LocalQueue old = queues.find(key);
    if (old != null) {
      unlink(key, old);
    }
    queues = queue == null ? queues.without(key) : queues.with(key, queue);
    String clusterQueue = queue == null ? null : queue.spec().clusterQueue();
    if (clusterQueue != null) {
      byClusterQueue.add(clusterQueue, key);
    }
    return old;
  }

  private void unlink(ObjectKey key, LocalQueue old) {
    String clusterQueue = old.spec().clusterQueue();
    if (clusterQueue != null) {
      byClusterQueue.remove(clusterQueue, key);
    }
  }
}
