package dev.sluice.see.history;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One transition of one Workload. A line that {@linkplain Step#closes closes} says by itself since
 * when which amounts were held, so it can be counted without the lines before it.
 *
 * @param queued since when it waits, or waited before it got quota
 * @param held what it holds, or held until this; null if nothing
 * @param reason one word of the API, such as {@code Preempted}; empty for none
 * @param by the uid of the Workload for which it was preempted; empty for none
 */
public record Transition(
    Instant at,
    Step step,
    Subject subject,
    Instant queued,
    @Nullable Held held,
    String reason,
    String by)
    implements HistoryLine {
  /** The reason of a line about a transition that nobody saw. */
  public static final String NOT_SEEN = "NotSeen";
}
