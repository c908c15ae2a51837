package dev.sluice.quota.queue;

import dev.sluice.quota.world.ObjectKey;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.Comparator;

/**
 * The place of a workload in its queue: higher priority first, then the earlier time, then the uid.
 */
public record QueuePosition(long priority, Instant timestamp, String uid, ObjectKey workload)
    implements Comparable<QueuePosition> {
  private static final Comparator<QueuePosition> ORDER =
      Comparator.comparingLong(QueuePosition::priority)
          .reversed()
          .thenComparing(QueuePosition::timestamp)
          .thenComparing(QueuePosition::uid)
          .thenComparing(QueuePosition::workload);

  public static QueuePosition of(WorkloadState workload) {
    return new QueuePosition(
        workload.priority(), workload.queueTimestamp(), workload.uid(), workload.key());
  }

  @Override
  public int compareTo(QueuePosition other) {
    return ORDER.compare(this, other);
  }
}
