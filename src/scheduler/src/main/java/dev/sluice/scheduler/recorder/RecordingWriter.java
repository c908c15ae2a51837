package dev.sluice.scheduler.recorder;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.recording.ConfigurationDocument;
import dev.sluice.quota.recording.Event;
import dev.sluice.quota.recording.RecordedEvent;
import dev.sluice.quota.recording.RecordedOutcome;
import dev.sluice.quota.recording.SegmentHeader;
import dev.sluice.quota.recording.SegmentWriter;
import dev.sluice.quota.world.WorkloadState;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes entries to segments. A checkpoint begins a segment; when one is due, the writer wishes for
 * it. For one thread, except {@link #isBroken} and {@link #takeWish}.
 */
final class RecordingWriter {
  private static final Logger LOG = LoggerFactory.getLogger(RecordingWriter.class);
  private static final Duration BETWEEN_CHECKPOINTS = Duration.ofMinutes(15);

  /** A process that is killed loses what came after the last frame: a second at most. */
  private static final Duration BETWEEN_FRAMES = Duration.ofMillis(500);

  /** Cycles of an engine that has nothing to decide may be lost; each frame costs 40 bytes. */
  private static final Duration BETWEEN_IDLE_FRAMES = Duration.ofMinutes(1);

  private static final Duration BEFORE_RETRY = Duration.ofSeconds(10);
  private static final int FRAME_BYTES = 1 << 16;

  private final SegmentFiles files;
  private final JsonNode configuration;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final DoubleConsumer written;
  private final Runnable gap;
  private final AtomicBoolean wish = new AtomicBoolean();
  private volatile boolean broken;

  private @Nullable SegmentWriter segment;
  private @Nullable OutputStream file;
  private String run = "";
  private Instant runSince = Instant.EPOCH;
  private int ordinal;
  private long sequence;
  private long segmentSince;
  private long segmentBytes;
  private long frameSince;
  private long brokenSince;
  private boolean worth; // the next frame has more than idle cycles
  private boolean full;
  private boolean moved; // so has the segment, after its checkpoint

  RecordingWriter(
      SegmentFiles files,
      EngineConfiguration configuration,
      InstantSource clock,
      LongSupplier nanoTime,
      DoubleConsumer written,
      Runnable gap) {
    this.files = files;
    this.configuration = ConfigurationDocument.write(configuration);
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.written = written;
    this.gap = gap;
  }

  /** Whether the disk refused lately; nothing is written while it is so. */
  boolean isBroken() {
    return broken;
  }

  /** Whether a checkpoint is due; only once for each. */
  boolean takeWish() {
    return wish.getAndSet(false);
  }

  /** Writes an entry. If that fails, nothing more is written until a checkpoint comes. */
  void take(Entry entry) {
    boolean done = false;
    try {
      write(entry);
      done = true;
    } finally { // whatever it was that failed
      if (!done) {
        giveUp();
      }
      if (entry instanceof Entry.Failed failed) {
        flush();
        failed.written().countDown();
      }
    }
  }

  private void giveUp() {
    leave();
    gap.run();
    wish.set(true);
  }

  private void write(Entry entry) {
    if (entry instanceof Entry.Checkpoint checkpoint) {
      begin(checkpoint);
      return;
    }
    if (segment == null) {
      return; // after a gap, until the next checkpoint
    }
    if (entry.sequence() != sequence + 1) {
      giveUp(); // an entry was lost by a failure
      return;
    }
    Event event =
        switch (entry) {
          case Entry.Applied applied -> new Event.Applied(applied.change());
          case Entry.Looked _ -> new Event.Looked();
          case Entry.Cycled cycled ->
              new Event.Cycled(
                  cycled.result().outcomes().stream().map(RecordedOutcome::of).toList());
          case Entry.Failed failed -> new Event.Failed(failed.cause());
          case Entry.Checkpoint checkpoint -> new Event.Checkpoint(state(checkpoint));
        };
    worth |= !(event instanceof Event.Cycled(var outcomes)) || !outcomes.isEmpty();
    add(new RecordedEvent(entry.sequence(), entry.at(), event));
  }

  private void add(RecordedEvent event) {
    if (segment == null) {
      return;
    }
    if (segment.pending() == 0) {
      frameSince = nanoTime.getAsLong();
    }
    segment.add(event);
    sequence = event.sequence();
    if (segment.pending() >= FRAME_BYTES) {
      flush();
    }
  }

  private void begin(Entry.Checkpoint checkpoint) {
    boolean continues =
        segment != null && !checkpoint.afterGap() && checkpoint.sequence() == sequence + 1;
    if (segment != null) {
      flush();
    }
    String previous = continues && segment != null ? segment.hash() : "";
    continues &= segment != null;
    leave();
    if (!continues) {
      run = UUID.randomUUID().toString().substring(0, 8);
      runSince = clock.instant();
    }
    ordinal = continues ? ordinal + 1 : 0;
    var next =
        new SegmentWriter(
            new SegmentHeader(
                run,
                ordinal,
                checkpoint.sequence(),
                checkpoint.fresh(),
                program(),
                previous,
                configuration));
    try {
      file = files.create(runSince, run, ordinal);
    } catch (IOException e) {
      next.close();
      fail(e);
      return;
    }
    segment = next;
    segmentSince = nanoTime.getAsLong();
    segmentBytes = 0;
    write(next.opening());
    add(
        new RecordedEvent(
            checkpoint.sequence(), checkpoint.at(), new Event.Checkpoint(state(checkpoint))));
    flush();
    moved = false;
    full = false;
  }

  private static String program() {
    String version = RecordingWriter.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  private static List<Change> state(Entry.Checkpoint checkpoint) {
    List<Change> state = new ArrayList<>(checkpoint.others());
    for (WorkloadState workload : checkpoint.snapshot().workloads()) {
      state.add(Change.upserted(ObjectKind.WORKLOAD, workload.workload()));
    }
    return state;
  }

  /** Writes the frame that is due, and wishes for the checkpoint that is. */
  void flushIfDue() {
    long now = nanoTime.getAsLong();
    if (broken && now - brokenSince > BEFORE_RETRY.toNanos()) {
      broken = false;
      wish.set(true);
    }
    if (segment == null || file == null) {
      return;
    }
    Duration patience = worth ? BETWEEN_FRAMES : BETWEEN_IDLE_FRAMES;
    if (segment.pending() > 0 && now - frameSince >= patience.toNanos()) {
      flush();
    }
    if (moved && now - segmentSince >= BETWEEN_CHECKPOINTS.toNanos()) {
      moved = false;
      wish.set(true);
    }
  }

  private void flush() {
    if (segment != null && segment.pending() > 0) {
      write(segment.frame());
      moved |= worth;
      worth = false;
    }
  }

  private void write(byte[] bytes) {
    if (file == null) {
      return;
    }
    try {
      file.write(bytes);
      segmentBytes += bytes.length;
      written.accept(bytes.length);
      if (!full && segmentBytes >= SegmentFiles.SEGMENT_BYTES) {
        full = true;
        wish.set(true);
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  private void fail(IOException e) {
    LOG.warn("the recording of decisions cannot be written: {}", e.toString());
    brokenSince = nanoTime.getAsLong();
    broken = true;
    leave();
  }

  private void leave() {
    if (segment != null) {
      segment.close();
      segment = null;
    }
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        LOG.debug("a segment of the recording was not closed", e);
      }
      file = null;
    }
  }

  /** Marks the end of the recording. */
  void end() {
    add(new RecordedEvent(sequence + 1, clock.instant(), new Event.Ended()));
    flush();
    leave();
  }
}
