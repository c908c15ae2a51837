package dev.sluice.see.line;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.queue.WaitingLine;
import dev.sluice.see.visibility.Page;
import java.util.List;
import java.util.Optional;

/**
 * A part of the line of a queue.
 *
 * @param total how many wait in the queue
 * @param offset how many of them are left out before the first of these
 */
public record QueueLine(int total, int offset, List<LinePlace> places) {
  public QueueLine {
    places = List.copyOf(places);
  }

  /**
   * The line of the ClusterQueue; empty where there is none of that name. The first page of a
   * snapshot sorts the queue, each other one costs its length.
   */
  public static Optional<QueueLine> ofClusterQueue(Snapshot snapshot, String name, Page page) {
    return snapshot.hasClusterQueue(name)
        ? Optional.of(of(snapshot.line(name).places(), page))
        : Optional.empty();
  }

  /**
   * The line of the LocalQueue; empty where there is none of that name. Nobody waits in a
   * LocalQueue whose ClusterQueue is not there.
   */
  public static Optional<QueueLine> ofLocalQueue(Snapshot snapshot, ObjectKey key, Page page) {
    LocalQueue queue = snapshot.localQueue(key);
    if (queue == null) {
      return Optional.empty();
    }
    String clusterQueue = queue.spec().clusterQueue();
    List<WaitingLine.Place> places =
        clusterQueue == null ? List.of() : snapshot.line(clusterQueue).of(key);
    return Optional.of(of(places, page));
  }

  private static QueueLine of(List<WaitingLine.Place> places, Page page) {
    return new QueueLine(
        places.size(),
        Math.min(page.offset(), places.size()),
        WaitingLine.page(places, page.offset(), page.limit()).stream().map(LinePlace::of).toList());
  }
}
