package dev.sluice.scheduler.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.workload.FollowedAnswers.Completed;

/** Completes a write that answers an admission check by what follows from it. Thread-safe. */
@FunctionalInterface
public interface CheckAnswers {
  /** Nothing is added. */
  CheckAnswers ALONE = (_, write) -> Completed.alone(write);

  /**
   * The write to send in place of that one; any other than an answer to a check is as it was.
   *
   * @param stored the Workload that the write was made for
   */
  Completed complete(JsonNode stored, Write write);
}
