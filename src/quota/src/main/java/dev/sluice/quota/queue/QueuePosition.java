package dev.sluice.quota.queue;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;

/**
 * The place of a workload in its queue: higher priority first, then the earlier time, then the uid.
 */
public record QueuePosition(long priority, Instant timestamp, String uid, ObjectKey workload)
    implements Comparable<QueuePosition> {
  public static QueuePosition of(WorkloadState workload) {
    return new QueuePosition(
        workload.priority(), workload.queueTimestamp(), workload.uid(), workload.key());
  }

  @Override
  public int compareTo(QueuePosition other) {
    if (priority != other.priority) {
      return priority > other.priority ? -1 : 1;
    }
    int byTime = timestamp.compareTo(other.timestamp);
    if (byTime != 0) {
      return byTime;
    }
    int byUid = uid.compareTo(other.uid);
    return byUid != 0 ? byUid : workload.compareTo(other.workload);
  }
}
