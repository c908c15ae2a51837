package dev.sluice.see.visibility;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.queue.WaitingLine;
import java.util.List;
import java.util.Optional;

/** The workloads that wait in a queue, in the order in which cycles serve them. */
public final class PendingWorkloads {
  private PendingWorkloads() {}

  /** Those of the ClusterQueue; empty where there is none of that name. */
  public static Optional<List<PendingWorkload>> ofClusterQueue(
      Snapshot snapshot, String name, Page page) {
    return snapshot.hasClusterQueue(name)
        ? Optional.of(list(snapshot.line(name).page(page.offset(), page.limit())))
        : Optional.empty();
  }

  /**
   * Those of the LocalQueue; empty where there is none of that name. Nobody waits in a LocalQueue
   * whose ClusterQueue is not there.
   */
  public static Optional<List<PendingWorkload>> ofLocalQueue(
      Snapshot snapshot, ObjectKey key, Page page) {
    LocalQueue queue = snapshot.localQueue(key);
    if (queue == null) {
      return Optional.empty();
    }
    String clusterQueue = queue.spec().clusterQueue();
    return Optional.of(
        clusterQueue == null
            ? List.of()
            : list(snapshot.line(clusterQueue).page(key, page.offset(), page.limit())));
  }

  private static List<PendingWorkload> list(List<WaitingLine.Place> places) {
    return places.stream().map(PendingWorkload::of).toList();
  }
}
