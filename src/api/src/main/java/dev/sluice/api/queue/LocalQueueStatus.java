package dev.sluice.api.queue;

import dev.sluice.api.meta.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the workloads of a LocalQueue have. */
public record LocalQueueStatus(
    List<Condition> conditions,
    @Nullable Integer pendingWorkloads,
    @Nullable Integer reservingWorkloads,
    @Nullable Integer admittedWorkloads,
    List<LocalQueueFlavorUsage> flavorsReservation,
    List<LocalQueueFlavorUsage> flavorsUsage,
    @Nullable LocalQueueFairSharingStatus fairSharing) {
  public LocalQueueStatus {
    conditions = List.copyOf(conditions);
    flavorsReservation = List.copyOf(flavorsReservation);
    flavorsUsage = List.copyOf(flavorsUsage);
  }
}
