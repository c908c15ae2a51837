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

/** What an evicted variant had goes back once no pod runs by it: it has none of its own. */
final class QuotaReturn {
  /** Evictions after which a variant takes part again at once. */
  private static final Set<String> TRIED_AGAIN_AT_ONCE =
      Set.of(
          PREEMPTED, Reasons.NODE_FAILURES, Reasons.FLAVOR_MIGRATION, Reasons.CONCURRENT_ADMISSION);

  private QuotaReturn() {}

  /** Empty where the variant was not evicted, or has given it back. */
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
