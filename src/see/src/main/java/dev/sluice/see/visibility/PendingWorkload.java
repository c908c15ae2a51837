package dev.sluice.see.visibility;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.OwnerReference;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.queue.WaitingLine;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A workload that waits; positions start at 0.
 *
 * @param priority 0 where it has none
 * @param localQueueName in the namespace of the workload
 */
public record PendingWorkload(
    ObjectKey key,
    @Nullable Instant creationTimestamp,
    List<OwnerReference> ownerReferences,
    int priority,
    String localQueueName,
    int positionInClusterQueue,
    int positionInLocalQueue) {
  public PendingWorkload {
    ownerReferences = List.copyOf(ownerReferences);
  }

  static PendingWorkload of(WaitingLine.Place place) {
    Workload workload = place.workload().workload();
    Integer priority = workload.spec().priority();
    String localQueue = workload.spec().queueName();
    return new PendingWorkload(
        place.workload().key(),
        workload.metadata().creationTimestamp(),
        workload.metadata().ownerReferences(),
        priority == null ? 0 : priority,
        localQueue == null ? "" : localQueue,
        place.inClusterQueue(),
        place.inLocalQueue());
  }
}
