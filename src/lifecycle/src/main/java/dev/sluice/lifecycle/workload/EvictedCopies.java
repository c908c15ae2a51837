package dev.sluice.lifecycle.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.EVICTED;
import static dev.sluice.api.vocabulary.ConditionTypes.PREEMPTED;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.vocabulary.Reasons;
import java.util.Set;

/**
 * Returns the quota of evicted copies that the manager of another cluster made, and that no job has
 * adopted yet. A job adopts its Workload before it may start, so no pod of it runs. Once it has an
 * owner, the reconciler of the job returns the quota.
 */
final class EvictedCopies {
  /** Evictions after which a copy may be queued again at once. */
  private static final Set<String> TRIED_AGAIN_AT_ONCE = Set.of(PREEMPTED, Reasons.NODE_FAILURES);

  private EvictedCopies() {}

  static ReconcileStep returned(WorkloadContext context) {
    boolean isCopy = context.metadata().labels().containsKey(Labels.MULTI_KUEUE_ORIGIN);
    boolean isAdopted = !context.metadata().ownerReferences().isEmpty();
    if (!isCopy || isAdopted || !context.reserved()) {
      return ReconcileStep.REST;
    }
    return context
        .condition(EVICTED)
        .filter(it -> it.status() == ConditionStatus.TRUE)
        .map(it -> returned(context, it))
        .orElse(ReconcileStep.REST);
  }

  private static ReconcileStep returned(WorkloadContext context, Condition eviction) {
    String reason = eviction.reason();
    String message = eviction.message();
    return ReconcileStep.status(
        context
            .edit()
            .requeue(TRIED_AGAIN_AT_ONCE.contains(reason), reason, message)
            .giveBack(PendingReason.PENDING_EVALUATION.text(), message));
  }
}
