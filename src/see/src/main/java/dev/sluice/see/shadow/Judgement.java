package dev.sluice.see.shadow;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.decision.Outcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of one decision about a Workload.
 *
 * @param at when the decision of the other scheduler was seen; the present time for {@link
 *     Verdict#SOONER}
 * @param deviation the id of the known deviation; empty for none
 * @param clusterQueue in which the Workload waits or got quota; empty where it is in none
 * @param theirs what the other scheduler did, as a sentence; empty if both did the same
 * @param ours what we would have done and why, as a sentence; empty if both did the same
 * @param evidence the state in which our decision was made; null without a difference
 */
public record Judgement(
    Instant at,
    Verdict verdict,
    String deviation,
    ObjectKey workload,
    String uid,
    String clusterQueue,
    String theirs,
    String ours,
    @Nullable Evidence evidence) {

  /**
   * A state, and what our engine decides in it.
   *
   * @param engine belongs to the owner of the evidence; to be forked
   * @param at the time of the cycles
   * @param outcome of the Workload; null if no cycle considers it
   */
  public record Evidence(QuotaEngine engine, Instant at, @Nullable Outcome outcome) {}
}
