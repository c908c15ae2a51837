package dev.sluice.quota.cycle;

import dev.sluice.quota.assign.Head;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.Decision;
import org.jspecify.annotations.Nullable;

/**
 * The decision for a head.
 *
 * @param progress the assignment from which the next search for flavors continues, or null to start
 *     over
 */
public record Verdict(
    Head head, Decision decision, RequeueReason requeue, @Nullable Assignment progress) {}
