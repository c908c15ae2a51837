package dev.sluice.quota.recording;

import dev.sluice.quota.Change;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells an engine all that a recording says, and compares what it decides. Give it the events of
 * all segments in order. For one thread.
 *
 * <p>A recording from the start of an engine is compared exactly. One that begins later has the
 * objects and not what the engine remembered of earlier cycles, so a first difference there is
 * {@linkplain Mismatch#certain uncertain}.
 */
public final class Replay {
  private static final int MOST_CYCLES = 10_000;

  /**
   * A cycle that decided otherwise than the recording says.
   *
   * @param recorded null where the cycle decided more than is recorded
   * @param replayed null where it decided less
   * @param certain whether the engine knew all that the recorded one did
   * @param failure which of the two failed, and how; empty if none did
   */
  public record Mismatch(
      long sequence,
      Instant at,
      @Nullable RecordedOutcome recorded,
      @Nullable RecordedOutcome replayed,
      boolean certain,
      String failure) {}

  private QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
  private EngineConfiguration configuration = EngineConfiguration.defaults();
  private boolean exact;
  private boolean rebuilds = true;
  private boolean lost;
  private long cycles;
  private long outcomes;
  private long failures;
  private @Nullable Snapshot snapshot;

  /**
   * A segment begins.
   *
   * @param continues whether it goes on where the segment before it ended
   */
  public void begin(SegmentHeader header, boolean continues) {
    if (!continues) {
      configuration = ConfigurationDocument.read(header.configuration());
      rebuilds = true;
      lost = false;
      exact = header.fresh();
    }
  }

  /** The next event; answers how the cycle differs from it, or null. */
  public @Nullable Mismatch take(RecordedEvent event) {
    Instant now = event.at();
    switch (event.event()) {
      case Event.Checkpoint checkpoint -> {
        if (rebuilds || lost) {
          rebuild(checkpoint, now);
        }
      }
      case Event.Applied(var change) -> apply(engine, change, now);
      case Event.Looked _ -> {
        snapshot = engine.snapshot(now); // settles the trees
      }
      case Event.Cycled cycled -> {
        return cycled(cycled, event);
      }
      case Event.Failed(var cause) -> {
        rebuilds = true;
        return failed(cause, event);
      }
      case Event.Ended _ -> rebuilds = true;
    }
    return null;
  }

  private static void apply(QuotaEngine engine, Change change, Instant now) {
    try {
      engine.apply(change, now);
    } catch (RuntimeException _) {
      // as it was when it was recorded: the engine goes on without that object
    }
  }

  private void rebuild(Event.Checkpoint checkpoint, Instant now) {
    exact &= !lost;
    engine = told(checkpoint, now);
    if (!exact && moves(engine, now)) {
      engine = told(checkpoint, now); // it was taken in the middle of some work
    }
    rebuilds = false;
    lost = false;
  }

  private QuotaEngine told(Event.Checkpoint checkpoint, Instant now) {
    var rebuilt = new QuotaEngine(configuration);
    checkpoint.state().forEach(change -> apply(rebuilt, change, now));
    return rebuilt;
  }

  /**
   * Runs cycles until nothing changes, so that Workloads that cannot be admitted are parked.
   *
   * @return whether a Workload got quota or lost it
   */
  private static boolean moves(QuotaEngine engine, Instant now) {
    for (int i = 0; i < MOST_CYCLES; i++) {
      CycleResult result = engine.cycle(now);
      if (result.outcomes().stream().anyMatch(Replay::moves)) {
        return true;
      }
      if (!result.changed()) {
        return false;
      }
    }
    return true;
  }

  private static boolean moves(Outcome outcome) {
    return !outcome.others().isEmpty() || outcome.decision() instanceof Decision.Reserved;
  }

  private @Nullable Mismatch cycled(Event.Cycled cycled, RecordedEvent event) {
    List<RecordedOutcome> replayed;
    cycles++;
    outcomes += lost ? 0 : cycled.outcomes().size();
    try {
      replayed = cycle(event.at(), cycled.outcomes());
    } catch (RuntimeException e) {
      boolean wasLost = lost;
      lost = true;
      rebuilds = true; // an engine that failed in a cycle is of no use
      return wasLost ? null : mismatch(event, null, null, "the replayed cycle failed: " + e);
    }
    if (lost || replayed.equals(cycled.outcomes())) {
      return null;
    }
    lost = true;
    int common = Math.min(replayed.size(), cycled.outcomes().size());
    int first = 0;
    while (first < common && replayed.get(first).equals(cycled.outcomes().get(first))) {
      first++;
    }
    return mismatch(
        event,
        first < cycled.outcomes().size() ? cycled.outcomes().get(first) : null,
        first < replayed.size() ? replayed.get(first) : null,
        "");
  }

  /**
   * Considers all heads, which the recorded engine need not have done ({@link
   * QuotaEngine#cycleOfNews}); leaves out what is not recorded and had no effect.
   */
  private List<RecordedOutcome> cycle(Instant now, List<RecordedOutcome> recorded) {
    List<RecordedOutcome> replayed = new ArrayList<>();
    for (Outcome outcome : engine.cycle(now).outcomes()) {
      RecordedOutcome own = RecordedOutcome.of(outcome);
      int next = replayed.size();
      boolean isRecorded = next < recorded.size() && recorded.get(next).equals(own);
      if (isRecorded || !outcome.hasNoEffect()) {
        replayed.add(own);
      }
    }
    return replayed;
  }

  private @Nullable Mismatch failed(String cause, RecordedEvent event) {
    cycles++;
    if (lost) {
      return null;
    }
    try {
      List<RecordedOutcome> replayed = cycle(event.at(), List.of());
      return mismatch(
          event,
          null,
          replayed.isEmpty() ? null : replayed.getFirst(),
          "the recorded cycle failed: " + cause);
    } catch (RuntimeException _) {
      failures++;
      return null;
    }
  }

  private Mismatch mismatch(
      RecordedEvent event,
      @Nullable RecordedOutcome recorded,
      @Nullable RecordedOutcome replayed,
      String failure) {
    return new Mismatch(event.sequence(), event.at(), recorded, replayed, exact, failure);
  }

  /** The engine as it is after the last event; to be read or forked alone. */
  public QuotaEngine engine() {
    return engine;
  }

  /** The last one that the recorded engine made, as the replayed one has it; null before it. */
  public @Nullable Snapshot snapshot() {
    return snapshot;
  }

  /** Of the engine. */
  public EngineConfiguration configuration() {
    return configuration;
  }

  /** How many cycles were run. */
  public long cycles() {
    return cycles;
  }

  /** How many cycles failed here as they did when they were recorded. */
  public long failures() {
    return failures;
  }

  /** How many outcomes were compared. */
  public long outcomes() {
    return outcomes;
  }
}
