package dev.sluice.bench.engine;

import dev.sluice.bench.engine.Story.Call;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.recording.ConfigurationDocument;
import dev.sluice.quota.recording.Event;
import dev.sluice.quota.recording.RecordedEvent;
import dev.sluice.quota.recording.RecordedOutcome;
import dev.sluice.quota.recording.Replay;
import dev.sluice.quota.recording.SegmentHeader;
import dev.sluice.quota.recording.SegmentReader;
import dev.sluice.quota.recording.SegmentWriter;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What it costs to record a story as the flight recorder does, and to decide it again. Nothing is
 * written to a disk.
 */
public final class RecordedStory {
  /** In the story as many cycles run in half a second. */
  private static final int FRAME_BYTES = 1 << 14;

  /**
   * What it cost.
   *
   * @param engine processor time of the engine, the story around it included
   * @param recording processor time to encode, compress, and hash
   * @param replay processor time to read and decide again
   * @param same whether all decisions were the same
   */
  public record Cost(
      Story.Plot plot,
      int events,
      long bytes,
      Duration engine,
      Duration recording,
      Duration replay,
      boolean same) {}

  private RecordedStory() {}

  static Cost of(Story.Plot plot) {
    List<Call> calls = new ArrayList<>();
    Story.Ending ending = Story.play(plot, calls);
    long start = processorTime();
    byte[] segment = recorded(calls);
    long recorded = processorTime();
    boolean same = isSame(segment);
    return new Cost(
        plot,
        calls.size(),
        segment.length,
        ending.computing(),
        Duration.ofNanos(recorded - start),
        Duration.ofNanos(processorTime() - recorded),
        same);
  }

  private static long processorTime() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static byte[] recorded(List<Call> calls) {
    var bytes = new ByteArrayOutputStream();
    var configuration = ConfigurationDocument.write(EngineConfiguration.defaults());
    var header = new SegmentHeader("story", 0, 1, true, "", "", configuration);
    try (var writer = new SegmentWriter(header)) {
      bytes.writeBytes(writer.opening());
      long sequence = 1;
      writer.add(new RecordedEvent(sequence, Instant.EPOCH, new Event.Checkpoint(List.of())));
      for (Call call : calls) {
        writer.add(new RecordedEvent(++sequence, call.at(), event(call)));
        if (writer.pending() >= FRAME_BYTES) {
          bytes.writeBytes(writer.frame());
        }
      }
      bytes.writeBytes(writer.frame());
    }
    return bytes.toByteArray();
  }

  private static Event event(Call call) {
    return switch (call) {
      case Call.Applied(_, var change) -> new Event.Applied(change);
      case Call.Looked _ -> new Event.Looked();
      case Call.Cycled(_, var result) ->
          new Event.Cycled(result.outcomes().stream().map(RecordedOutcome::of).toList());
    };
  }

  private static boolean isSame(byte[] segment) {
    var replay = new Replay();
    try (var reader = new SegmentReader("story", segment)) {
      replay.begin(reader.header(), false);
      for (RecordedEvent event = reader.next(); event != null; event = reader.next()) {
        if (replay.take(event) != null) {
          return false;
        }
      }
    }
    return true;
  }
}
