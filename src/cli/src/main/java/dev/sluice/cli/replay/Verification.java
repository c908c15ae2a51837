package dev.sluice.cli.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.picture.UsageOverTime;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.recording.Event;
import dev.sluice.quota.recording.RecordedEvent;
import dev.sluice.quota.recording.RecordedOutcome;
import dev.sluice.quota.recording.Replay;
import dev.sluice.quota.recording.SegmentHeader;
import dev.sluice.scheduler.recorder.RecordingReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decides a recording again and compares. A certain difference ends it; after an uncertain one it
 * goes on with the next checkpoint. For one thread.
 */
final class Verification implements RecordingReader.Visitor {
  private record Difference(Path file, Replay.Mismatch mismatch) {}

  private final Instant from;
  private final Instant to;
  private final Replay replay = new Replay();
  private final List<Difference> differences = new ArrayList<>();
  private final UsageRecorder usage;
  private @Nullable Instant first;
  private Instant last = Instant.EPOCH;
  private long cycles;
  private long outcomes;
  private int engines;

  /**
   * Reports the decisions between those times alone; all before them are made, too.
   *
   * @param draws whether the use of quota is asked for
   */
  Verification(Instant from, Instant to, boolean draws) {
    this.usage = new UsageRecorder(draws);
    this.from = from;
    this.to = to;
  }

  @Override
  public void segment(Path file, SegmentHeader header, boolean continues) {
    replay.begin(header, continues);
    engines += continues ? 0 : 1;
  }

  @Override
  public boolean event(Path file, RecordedEvent event) {
    if (event.at().isAfter(to)) {
      return false;
    }
    long before = replay.outcomes();
    Replay.Mismatch mismatch = replay.take(event);
    boolean isCycle =
        event.event() instanceof Event.Cycled || event.event() instanceof Event.Failed;
    if (isCycle && !event.at().isBefore(from)) {
      first = first == null ? event.at() : first;
      last = event.at();
      cycles++;
      outcomes += replay.outcomes() - before;
    }
    if (isCycle) {
      usage.cycled();
    }
    Snapshot snapshot = replay.snapshot();
    if (event.event() instanceof Event.Looked && snapshot != null && !event.at().isBefore(from)) {
      usage.look(event.at(), snapshot);
    }
    if (mismatch != null) {
      differences.add(new Difference(file, mismatch));
    }
    return mismatch == null || !mismatch.certain();
  }

  /** What was used in the reported time. */
  UsageOverTime usage() {
    return usage.result();
  }

  boolean isSame() {
    return differences.isEmpty();
  }

  String text(RecordingReader reader) {
    StringBuilder text = new StringBuilder();
    for (Difference difference : differences) {
      Replay.Mismatch it = difference.mismatch();
      text.append(
          "DIFFERS at event %d of %s, %s%n  recorded: %s%n  replayed: %s%n"
              .formatted(
                  it.sequence(),
                  difference.file().getFileName(),
                  it.at(),
                  described(it.recorded()),
                  described(it.replayed())));
      if (!it.failure().isEmpty()) {
        text.append("  %s%n".formatted(it.failure()));
      }
      if (!it.certain()) {
        text.append(
            "  This is uncertain: the recording begins later than the engine, and what the engine%n"
                .formatted());
        text.append("  remembered of earlier cycles is not in it.%n".formatted());
      }
    }
    reader.notes().forEach(note -> text.append("note: ").append(note).append('\n'));
    if (replay.failures() > 0) {
      text.append("%s failed, as recorded%n".formatted(counted(replay.failures(), "cycle")));
    }
    text.append(
        "%s in %s, %s, %s"
            .formatted(
                counted(outcomes, "decision"),
                counted(cycles, "cycle"),
                counted(reader.segments(), "segment"),
                counted(engines, "engine")));
    if (first != null) {
      text.append(", ").append(first).append(" to ").append(last);
    }
    return text.append(isSame() ? ": all the same\n" : ": not the same\n").toString();
  }

  private static String counted(long number, String noun) {
    return "%d %s%s".formatted(number, noun, number == 1 ? "" : "s");
  }

  private static String described(@Nullable RecordedOutcome outcome) {
    return outcome == null
        ? "nothing"
        : String.format(Locale.ROOT, "%s [%08x]", outcome, outcome.digest());
  }

  ObjectNode json(RecordingReader reader) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("same", isSame()).put("decisions", outcomes).put("cycles", cycles);
    root.put("segments", reader.segments()).put("engines", engines);
    if (replay.failures() > 0) {
      root.put("failedCycles", replay.failures());
    }
    if (first != null) {
      root.put("from", first.toString()).put("to", last.toString());
    }
    ArrayNode all = root.putArray("differences");
    for (Difference difference : differences) {
      Replay.Mismatch it = difference.mismatch();
      ObjectNode one = all.addObject();
      one.put("segment", String.valueOf(difference.file().getFileName()));
      one.put("sequence", it.sequence()).put("at", it.at().toString());
      one.put("certain", it.certain());
      if (!it.failure().isEmpty()) {
        one.put("failure", it.failure());
      }
      one.set("recorded", json(it.recorded()));
      one.set("replayed", json(it.replayed()));
    }
    ArrayNode notes = root.putArray("notes");
    reader.notes().forEach(notes::add);
    return root;
  }

  private static @Nullable ObjectNode json(@Nullable RecordedOutcome outcome) {
    if (outcome == null) {
      return null;
    }
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("workload", outcome.workload().toString());
    node.put("clusterQueue", outcome.clusterQueue());
    node.put("decision", outcome.decision());
    node.put("place", outcome.place().name());
    return node;
  }
}
