package dev.sluice.see.holders;

import dev.sluice.quota.Snapshot;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.visibility.Page;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A part of those who have quota of a ClusterQueue, in the order of their names, which does not
 * change while they run.
 *
 * @param total how many have quota of the queue
 * @param offset how many of them are left out before the first of these
 */
public record QueueHolders(int total, int offset, List<QueueHolder> holders) {
  public QueueHolders {
    holders = List.copyOf(holders);
  }

  /**
   * Those of the ClusterQueue; empty where there is none of that name. Costs their number.
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
