package dev.sluice.scheduler.recorder;

import dev.sluice.quota.Change;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.decision.CycleResult;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** What the engine's thread hands to the recorder's: values, of which nothing is copied. */
sealed interface Entry {
  /** The number of the event. */
  long sequence();

  Instant at();

  record Applied(long sequence, Instant at, Change change) implements Entry {}

  record Looked(long sequence, Instant at) implements Entry {}

  record Cycled(long sequence, Instant at, CycleResult result) implements Entry {}

  /**
   * A cycle failed.
   *
   * @param written counted down once it is on the disk, or will never be
   */
  record Failed(long sequence, Instant at, String cause, CountDownLatch written) implements Entry {}

  /**
   * The state.
   *
   * @param snapshot has the Workloads
   * @param others the last of each other object
   * @param fresh whether the engine is new
   * @param afterGap whether events before it were not recorded
   */
  record Checkpoint(
      long sequence,
      Instant at,
      Snapshot snapshot,
      List<Change> others,
      boolean fresh,
      boolean afterGap)
      implements Entry {}
}
