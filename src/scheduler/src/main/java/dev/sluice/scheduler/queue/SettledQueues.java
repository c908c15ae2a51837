package dev.sluice.scheduler.queue;

import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.quota.inventory.Inactivity;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The LocalQueues whose statuses were right in the pass before, and what these statuses follow
 * from. As long as that is the same, a pass need not work them out again: of thousands of queues
 * few change between two passes. It holds no more than the queues of two passes. One thread.
 */
final class SettledQueues {
  /**
   * What the status of a LocalQueue follows from. Objects are compared by identity: {@link
   * QueueReads} reads each version once.
   */
  record Basis(
      @Nullable ClusterQueue clusterQueue, List<Inactivity> inactivity, Tally.Count count) {
    boolean isAs(Basis other) {
      return clusterQueue == other.clusterQueue
          && count.isAs(other.count)
          && inactivity.equals(other.inactivity);
    }
  }

  private Map<LocalQueue, Basis> before = new IdentityHashMap<>();
  private Map<LocalQueue, Basis> now = new IdentityHashMap<>();

  /** A pass begins: queues that the one before did not find settled are forgotten. */
  void begin() {
    before = now;
    now = new IdentityHashMap<>();
  }

  /** Whether the status is still right, and remains settled. */
  boolean contains(LocalQueue queue, Basis basis) {
    Basis known = before.get(queue);
    if (known == null || !known.isAs(basis)) {
      return false;
    }
    now.put(queue, known);
    return true;
  }

  /** The status is right. */
  void add(LocalQueue queue, Basis basis) {
    now.put(queue, basis);
  }
}
