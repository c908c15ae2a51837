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

  /** The line of the ClusterQueue; empty where there is none of that name. */
  public static Optional<QueueLine> ofClusterQueue(Snapshot snapshot, String name, Page page) {
    if (!snapshot.hasClusterQueue(name)) {
      return Optional.empty();
    }
    WaitingLine line = snapshot.line(name);
    return Optional.of(of(line.size(), page, line.page(page.offset(), page.limit())));
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
    WaitingLine line = clusterQueue == null ? WaitingLine.EMPTY : snapshot.line(clusterQueue);
    return Optional.of(of(line.size(key), page, line.page(key, page.offset(), page.limit())));
  }

  private static QueueLine of(int total, Page page, List<WaitingLine.Place> places) {
    return new QueueLine(
        total, Math.min(page.offset(), total), places.stream().map(LinePlace::of).toList());
  }
}
