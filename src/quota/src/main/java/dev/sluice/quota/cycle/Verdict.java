package dev.sluice.quota.cycle;

import dev.sluice.quota.assign.Head;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.Decision;
import org.jspecify.annotations.Nullable;

/**
 * What was decided for a head.
 *
 * @param progress the assignment that the next search for flavors goes on from, or null to start
 *     over
 */
public record Verdict(
    Head head, Decision decision, RequeueReason requeue, @Nullable Assignment progress) {}
