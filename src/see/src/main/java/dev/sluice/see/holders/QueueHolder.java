package dev.sluice.see.holders;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.phase.WorkloadPhase;
import java.time.Instant;
import java.util.Map;

/**
 * A workload that has quota.
 *
 * @param localQueue in the namespace of the workload
 * @param phase Reserved, Admitted, or Evicted
 * @param since when it got its quota
 * @param amounts what it has
 */
public record QueueHolder(
    ObjectKey workload,
    String localQueue,
    long priority,
    WorkloadPhase phase,
    Instant since,
    Map<FlavorResource, Amount> amounts) {
  public QueueHolder {
    amounts = Map.copyOf(amounts);
  }

  static QueueHolder of(WorkloadState state, Instant now) {
    ObjectKey localQueue = state.localQueue();
    return new QueueHolder(
        state.key(),
        localQueue == null ? "" : localQueue.name(),
        state.priority(),
        WorkloadPhase.of(state.workload(), false, false),
        state.reservedSince(now),
        state.usage().toMap());
  }
}
