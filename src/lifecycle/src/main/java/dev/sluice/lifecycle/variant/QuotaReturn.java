package dev.sluice.lifecycle.variant;

import static dev.sluice.api.vocabulary.ConditionTypes.PREEMPTED;

import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.StatusEditor;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.workload.StatusPatch;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Returns the quota of an evicted variant. A variant has no pods, so only the parent's count. */
final class QuotaReturn {
  /** Evictions after which a variant is in the race again at once. */
  private static final Set<String> TRIED_AGAIN_AT_ONCE =
      Set.of(
          PREEMPTED, Reasons.NODE_FAILURES, Reasons.FLAVOR_MIGRATION, Reasons.CONCURRENT_ADMISSION);

  private QuotaReturn() {}

  /** Empty if the variant was not evicted, or has returned its quota. */
  static List<Write> of(Workload variant, StatusDetail detail, Instant now) {
    return Variants.eviction(variant).filter(_ -> Variants.isReserved(variant)).stream()
        .flatMap(
            why ->
                StatusPatch.patch(
                    variant,
                    new StatusEditor(variant, detail, now)
                        .requeue(
                            TRIED_AGAIN_AT_ONCE.contains(why.reason()), why.reason(), why.message())
                        .giveBack(PendingReason.PENDING_EVALUATION.text(), why.message())
                        .build())
                    .stream())
        .toList();
  }
}
