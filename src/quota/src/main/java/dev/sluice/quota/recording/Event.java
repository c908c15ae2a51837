package dev.sluice.quota.recording;

import dev.sluice.quota.Change;
import java.util.List;

/** One call of an engine, or what a recording says between two of them. */
public sealed interface Event {
  /** The engine is told a change; it may fail to take it. */
  record Applied(Change change) implements Event {}

  /** Its snapshot is taken, which settles the trees. */
  record Looked() implements Event {}

  /** It runs a cycle with these outcomes, in the order in which they were decided. */
  record Cycled(List<RecordedOutcome> outcomes) implements Event {
    public Cycled {
      outcomes = List.copyOf(outcomes);
    }
  }

  /** A cycle threw this; the engine is not called again. */
  record Failed(String cause) implements Event {}

  /**
   * The state as changes that lead to it from nothing.
   *
   * @param state may be in any order; Workloads have the statuses that the engine decided
   */
  record Checkpoint(List<Change> state) implements Event {
    public Checkpoint {
      state = List.copyOf(state);
    }
  }

  /** The recorder was closed in order. */
  record Ended() implements Event {}
}
