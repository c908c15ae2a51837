package dev.sluice.scheduler.queue;

import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.ClusterQueueSpec;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.quota.inventory.Inactivity;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The LocalQueues whose statuses were right in the pass before, and what these statuses follow
 * from. As long as that is the same, a pass need not work them out again: of thousands of queues
 * few change between two passes. It holds no more than the queues of two passes. One thread.
 */
final class SettledQueues {
  /**
   * What the status of a LocalQueue follows from, beside itself.
   *
   * @param spec of its ClusterQueue, the same object as long as it is equal, so that it is compared
   *     at no cost; null if there is none
   */
  record Basis(@Nullable ClusterQueueSpec spec, List<Inactivity> inactivity, Tally.Count count) {
    boolean isAs(Basis other) {
      return Objects.equals(spec, other.spec)
          && count.isAs(other.count)
          && inactivity.equals(other.inactivity);
    }
  }

  /** By identity: {@link QueueReads} reads each version once. */
  private IdentityHashMap<LocalQueue, Basis> before = new IdentityHashMap<>();

  private IdentityHashMap<LocalQueue, Basis> now = new IdentityHashMap<>();

  /** By the names of the ClusterQueues, whose statuses change with most passes. */
  private Map<String, ClusterQueueSpec> specs = new HashMap<>();

  /**
   * A pass begins: LocalQueues that the one before did not find settled are forgotten.
   *
   * @param clusterQueues all that there are
   */
  void begin(Collection<ClusterQueue> clusterQueues) {
    before = now;
    now = new IdentityHashMap<>();
    Map<String, ClusterQueueSpec> latest = new HashMap<>();
    for (ClusterQueue queue : clusterQueues) {
      ClusterQueueSpec known = specs.get(queue.metadata().name());
      latest.put(queue.metadata().name(), queue.spec().equals(known) ? known : queue.spec());
    }
    specs = latest;
  }

  /**
   * What the status of a LocalQueue follows from in this pass.
   *
   * @param clusterQueue its ClusterQueue, or null
   */
  Basis basis(@Nullable ClusterQueue clusterQueue, List<Inactivity> inactivity, Tally.Count count) {
    ClusterQueueSpec spec = clusterQueue == null ? null : specs.get(clusterQueue.metadata().name());
    return new Basis(spec, inactivity, count);
  }

  /** Whether the status is still right; it remains settled then. */
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
