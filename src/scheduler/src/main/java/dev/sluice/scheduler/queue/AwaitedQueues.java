package dev.sluice.scheduler.queue;

import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.quota.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The ClusterQueues that the engine does not know yet as they are stored. Their condition Active
 * would tell of a generation that nobody has judged, so a pass leaves their statuses out. One
 * thread.
 */
final class AwaitedQueues {
  /** Much longer than the engine takes; after that it has failed to take the ClusterQueue. */
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private Map<String, Instant> since = new HashMap<>();
  private Set<String> names = Set.of();

  /**
   * A pass begins.
   *
   * @param clusterQueues all that are stored
   * @param snapshot of the engine, not older than these
   */
  void begin(Collection<ClusterQueue> clusterQueues, Snapshot snapshot, Instant now) {
    Map<String, Instant> unknown = new HashMap<>();
    Set<String> awaited = new HashSet<>();
    for (ClusterQueue queue : clusterQueues) {
      String name = queue.metadata().name();
      if (!isKnown(queue, snapshot)) {
        Instant first = since.getOrDefault(name, now);
        unknown.put(name, first);
        if (now.isBefore(first.plus(LONGEST))) {
          awaited.add(name);
        }
      }
    }
    since = unknown;
    names = awaited;
  }

  private static boolean isKnown(ClusterQueue queue, Snapshot snapshot) {
    ClusterQueue known = snapshot.clusterQueue(queue.metadata().name());
    return known != null && known.spec().equals(queue.spec()) && isEnding(known) == isEnding(queue);
  }

  private static boolean isEnding(ClusterQueue queue) {
    return queue.metadata().deletionTimestamp() != null;
  }

  /** Whether the statuses of that ClusterQueue and of its LocalQueues are left out in this pass. */
  boolean contains(ClusterQueue queue) {
    return names.contains(queue.metadata().name());
  }

  /** Whether nothing is left out in this pass. */
  boolean isEmpty() {
    return names.isEmpty();
  }
}
