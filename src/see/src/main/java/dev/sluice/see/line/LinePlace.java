package dev.sluice.see.line;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.quota.queue.WaitingLine;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;

/**
 * A workload in a line.
 *
 * @param localQueue in the namespace of the workload
 * @param reason of its condition QuotaReserved; empty as long as nobody has written one
 * @param since when it began to queue, which orders workloads of the same priority
 * @param ahead how many are before it in the ClusterQueue
 * @param aheadInLocalQueue how many of them are of its LocalQueue
 */
public record LinePlace(
    ObjectKey workload,
    String localQueue,
    long priority,
    String reason,
    Instant since,
    int ahead,
    int aheadInLocalQueue) {

  static LinePlace of(WaitingLine.Place place) {
    WorkloadState state = place.workload();
    Condition reserved = state.condition(ConditionTypes.QUOTA_RESERVED);
    ObjectKey localQueue = state.localQueue();
    return new LinePlace(
        state.key(),
        localQueue == null ? "" : localQueue.name(),
        state.priority(),
        reserved == null ? "" : reserved.reason(),
        state.queueTimestamp(),
        place.inClusterQueue(),
        place.inLocalQueue());
  }
}
