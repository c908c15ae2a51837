package dev.sluice.see.whatif;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.see.explain.Explanation;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What would become of one job or Workload.
 *
 * @param kind of the object that was given
 * @param object its namespace and name
 * @param workload its Workload; null where there would be none
 * @param message a sentence; empty where the answer says all
 * @param podSets what its pods would get; empty where that is nothing
 * @param preempts who would be evicted for it
 * @param starts when it would get quota; null where that is not known, or not within the time that
 *     is played forward
 * @param explanation why it would wait; null where it would not, or where there was no time
 */
public record WhatIfOutcome(
    String kind,
    ObjectKey object,
    @Nullable ObjectKey workload,
    Answer answer,
    String message,
    List<AssignedPodSet> podSets,
    List<ObjectKey> preempts,
    @Nullable Instant starts,
    @Nullable Explanation explanation) {
  public WhatIfOutcome {
    podSets = List.copyOf(podSets);
    preempts = List.copyOf(preempts);
  }

  /** One that would not get as far as a Workload. */
  public static WhatIfOutcome refused(String kind, ObjectKey object, String message) {
    return new WhatIfOutcome(
        kind, object, null, Answer.REFUSED, message, List.of(), List.of(), null, null);
  }

  /** The same with that start. */
  public WhatIfOutcome startingAt(@Nullable Instant start) {
    return new WhatIfOutcome(
        kind, object, workload, answer, message, podSets, preempts, start, explanation);
  }
}
