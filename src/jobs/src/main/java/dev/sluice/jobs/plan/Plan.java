package dev.sluice.jobs.plan;

import dev.sluice.api.write.Write;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The next writes for one job.
 *
 * <p>The writes are sent in order, and the first that fails ends the plan. The key is then planned
 * again from the observed state. No two writes of a plan change the same object, so each can carry
 * the observed resourceVersion; a step that depends on a write is planned only after that write was
 * observed. The event of a write follows it.
 *
 * @param writes what to send; empty at rest
 * @param again when to plan this key again without a change
 */
public record Plan(List<Write> writes, Optional<Instant> again) {
  /** Nothing to do until something changes. */
  public static final Plan REST = new Plan(List.of(), Optional.empty());

  public Plan {
    writes = List.copyOf(writes);
  }
}
