package dev.sluice.quota;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.recording.ConfigurationDocument;
import dev.sluice.quota.recording.Event;
import dev.sluice.quota.recording.RecordedEvent;
import dev.sluice.quota.recording.Replay;
import dev.sluice.quota.recording.SegmentHeader;
import dev.sluice.quota.recording.SegmentReader;
import dev.sluice.quota.recording.SegmentWriter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Records what an engine is told into segments in memory, with a frame after some events. */
final class RecordedWorld {
  private final JsonNode configuration;
  private final int eventsOfAFrame;
  private final List<byte[]> segments = new ArrayList<>();
  private final List<RecordedEvent> events = new ArrayList<>();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private SegmentWriter writer;
  private boolean fresh;
  private int added;

  RecordedWorld(EngineConfiguration engine, int eventsOfAFrame) {
    this.configuration = ConfigurationDocument.write(engine);
    this.eventsOfAFrame = eventsOfAFrame;
    this.fresh = true;
    this.writer = begin(0, "", 1);
    take(Instant.EPOCH, new Event.Checkpoint(List.of()));
  }

  private SegmentWriter begin(int ordinal, String previous, long sequence) {
    var next =
        new SegmentWriter(
            new SegmentHeader("run", ordinal, sequence, fresh, "test", previous, configuration));
    bytes.writeBytes(next.opening());
    return next;
  }

  void take(Instant now, Event event) {
    var recorded = new RecordedEvent(events.size() + 1L, now, event);
    events.add(recorded);
    writer.add(recorded);
    if (++added % eventsOfAFrame == 0) {
      bytes.writeBytes(writer.frame());
    }
  }

  /** Begins another segment, with that state. */
  void rotate(Instant now, List<Change> state) {
    end();
    fresh = false;
    writer = begin(segments.size(), writer.hash(), events.size() + 1L);
    take(now, new Event.Checkpoint(state));
  }

  private void end() {
    bytes.writeBytes(writer.frame());
    segments.add(bytes.toByteArray());
    bytes.reset();
    writer.close();
  }

  /** All segments; nothing more can be recorded. */
  List<byte[]> segments() {
    end();
    return List.copyOf(segments);
  }

  /** How many bytes are written; what the next frame has is flushed before. */
  int bytes() {
    bytes.writeBytes(writer.frame());
    return bytes.size();
  }

  /** All text of a segment that is in it without compression. */
  static String expanded(byte[] segment) {
    StringBuilder text = new StringBuilder();
    try (var reader = new SegmentReader("segment", segment)) {
      reader.expand(frame -> text.append(new String(frame, StandardCharsets.ISO_8859_1)));
    }
    return text.toString();
  }

  List<RecordedEvent> events() {
    return events;
  }

  /** Every event of a segment. */
  static List<RecordedEvent> read(byte[] segment) {
    List<RecordedEvent> read = new ArrayList<>();
    try (var reader = new SegmentReader("segment", segment)) {
      for (var event = reader.next(); event != null; event = reader.next()) {
        read.add(event);
      }
    }
    return read;
  }

  /** Where a replay of these segments differs first; in each part of it that can be compared. */
  static List<Replay.Mismatch> replay(List<byte[]> recording) {
    List<Replay.Mismatch> mismatches = new ArrayList<>();
    var replay = new Replay();
    boolean continues = false;
    for (byte[] segment : recording) {
      try (var reader = new SegmentReader("segment", segment)) {
        replay.begin(reader.header(), continues);
        continues = true;
        for (var event = reader.next(); event != null; event = reader.next()) {
          var mismatch = replay.take(event);
          if (mismatch != null) {
            mismatches.add(mismatch);
          }
        }
      }
    }
    return mismatches;
  }
}
