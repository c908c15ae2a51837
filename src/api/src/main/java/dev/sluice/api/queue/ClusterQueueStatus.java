package dev.sluice.api.queue;

import dev.sluice.api.meta.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How much of a ClusterQueue is in use. */
public record ClusterQueueStatus(
    List<Condition> conditions,
    List<FlavorUsage> flavorsReservation,
    List<FlavorUsage> flavorsUsage,
    @Nullable Integer pendingWorkloads,
    @Nullable Integer reservingWorkloads,
    @Nullable Integer admittedWorkloads,
    @Nullable FairSharingStatus fairSharing) {
  public ClusterQueueStatus {
    conditions = List.copyOf(conditions);
    flavorsReservation = List.copyOf(flavorsReservation);
    flavorsUsage = List.copyOf(flavorsUsage);
  }
}
