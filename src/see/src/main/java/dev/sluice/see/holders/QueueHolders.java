package dev.sluice.see.holders;

import dev.sluice.quota.Snapshot;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.visibility.Page;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A page of the Workloads that have quota of a ClusterQueue, ordered by name, so that the order
 * does not change while they run.
 *
 * @param total how many have quota of the queue
 * @param offset how many of them are left out before the first of these
 */
public record QueueHolders(int total, int offset, List<QueueHolder> holders) {
  public QueueHolders {
    holders = List.copyOf(holders);
  }

  /**
   * The Workloads of the ClusterQueue; empty if there is no such queue. The cost grows with their
   * number.
   *
   * @param now stands for the time of a reservation that is not known
   */
  public static Optional<QueueHolders> of(Snapshot snapshot, String name, Page page, Instant now) {
    if (!snapshot.hasClusterQueue(name)) {
      return Optional.empty();
    }
    List<WorkloadState> all = snapshot.holders(name);
    int from = Math.min(page.offset(), all.size());
    return Optional.of(
        new QueueHolders(
            all.size(),
            from,
            all.subList(from, Math.min(all.size(), from + page.limit())).stream()
                .map(it -> QueueHolder.of(it, now))
                .toList()));
  }
}
