package dev.sluice.jobs.plan;

import dev.sluice.api.write.Write;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What to do about one job.
 *
 * <p>The writes are sent in order, and the first that fails ends the plan. However far it came, the
 * key is planned again from what is seen then. No two writes of a plan change the same object, so
 * each may demand the resourceVersion that was seen; progress that rests on a write is planned only
 * after that write was seen. An event that tells of a write comes after it.
 *
 * @param writes what to send; empty at rest
 * @param again when to plan this key again though nothing that was looked at changed
 */
public record Plan(List<Write> writes, Optional<Instant> again) {
  /** Nothing to do until something changes. */
  public static final Plan REST = new Plan(List.of(), Optional.empty());

  public Plan {
    writes = List.copyOf(writes);
  }
}
