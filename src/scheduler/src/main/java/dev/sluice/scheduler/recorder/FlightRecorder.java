package dev.sluice.scheduler.recorder;

import dev.sluice.api.core.Pod;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.scheduler.engine.EngineTap;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records an engine from its first call on. The engine's thread only puts references into a bounded
 * queue; a thread of its own, the part {@code recorder}, encodes and writes them. If the queue is
 * full or the disk refuses, recording stops until the next checkpoint and a gap is counted;
 * decisions never wait.
 */
public final class FlightRecorder implements EngineTap, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FlightRecorder.class);

  /** As much as the engine's own inbox, so that the first lists of a cluster fit. */
  private static final int QUEUE = 1 << 16;

  /** The longest that encoding a checkpoint of a large cluster and writing it may take. */
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  private static final Duration LAST_WORD = Duration.ofSeconds(2);
  private static final long POLL_MILLIS = 100;
  private static final int BATCH = 1_024;

  private record Named(ObjectKind<?> kind, ObjectKey key) {}

  private final BlockingQueue<Entry> queue = new ArrayBlockingQueue<>(QUEUE);
  private final RecordingWriter writer;
  private final Counter gaps;
  private final SupervisedThread thread;

  // of the engine's thread
  private final Map<Named, Change> told = new LinkedHashMap<>();
  private long sequence;
  private boolean begun;
  private boolean recording = true;

  /** Starts no thread; {@link #start} does. */
  public FlightRecorder(
      RecordingOptions options,
      EngineConfiguration configuration,
      InstantSource clock,
      MeterRegistry registry,
      Supervisor supervisor) {
    this.gaps =
        Counter.builder("sluice.recorder.gaps")
            .description("How often recording of decisions stopped until the next checkpoint.")
            .register(registry);
    Counter bytes =
        Counter.builder("sluice.recorder.bytes")
            .description("Bytes written to the recording of decisions.")
            .baseUnit("bytes")
            .register(registry);
    this.writer =
        new RecordingWriter(
            new SegmentFiles(options),
            configuration,
            clock,
            System::nanoTime,
            bytes::increment,
            gaps::increment);
    this.thread =
        supervisor.part("recorder").thread(Thread.ofPlatform().daemon(), DEADLINE, this::step);
  }

  /** Begins to write. */
  public void start() {
    thread.start();
  }

  @Override
  public void applying(Instant now, Change change) {
    remember(change);
    add(new Entry.Applied(sequence + 1, now, change));
  }

  /** Workloads are in every snapshot; of other objects the last one is kept for checkpoints. */
  private void remember(Change change) {
    switch (change) {
      case Change.Upserted<?> upserted -> {
        if (upserted.object() instanceof Pod pod && !takesRoom(pod)) {
          told.remove(new Named(upserted.kind(), upserted.key()));
        } else if (upserted.kind() != ObjectKind.WORKLOAD) {
          told.put(new Named(upserted.kind(), upserted.key()), upserted);
        }
      }
      case Change.Deleted(var kind, var key, _) -> told.remove(new Named(kind, key));
      case Change.WorkloadAnswered _, Change.StatusStored _, Change.StatusWriteFailed _ -> {
        // about Workloads
      }
    }
  }

  /** The engine keeps nothing of other pods, and there may be very many. */
  private static boolean takesRoom(Pod pod) {
    String node = pod.spec().nodeName();
    String phase = String.valueOf(pod.status().phase());
    return node != null && !node.isEmpty() && !phase.equals("Succeeded") && !phase.equals("Failed");
  }

  @Override
  public void looked(Instant now, Snapshot snapshot) {
    if (!begun) {
      begun = true;
      add(checkpoint(now, snapshot, true, false));
    }
    add(new Entry.Looked(sequence + 1, now));
    boolean resumes = !recording && queue.isEmpty() && !writer.isBroken();
    if (resumes) {
      recording = true;
      add(checkpoint(now, snapshot, false, true));
    } else if (recording && writer.takeWish()) {
      add(checkpoint(now, snapshot, false, false));
    }
  }

  private Entry checkpoint(Instant now, Snapshot snapshot, boolean fresh, boolean afterGap) {
    List<Change> others = new ArrayList<>(told.values());
    return new Entry.Checkpoint(sequence + 1, now, snapshot, others, fresh, afterGap);
  }

  @Override
  public void cycled(Instant now, CycleResult result) {
    add(new Entry.Cycled(sequence + 1, now, result));
  }

  /** Waits until it is written, but not for long: the process is about to end. */
  @Override
  public void failed(Instant now, RuntimeException cause) {
    CountDownLatch written = new CountDownLatch(1);
    add(new Entry.Failed(sequence + 1, now, String.valueOf(cause), written));
    try {
      if (recording && !written.await(LAST_WORD.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("the failed cycle may be missing in the recording of decisions");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void add(Entry entry) {
    sequence = entry.sequence();
    if (!recording) {
      return;
    }
    if (writer.isBroken() || !queue.offer(entry)) {
      recording = false;
      gaps.increment();
      LOG.warn(
          "recording of decisions stops until the next checkpoint: {}",
          writer.isBroken() ? "the recording cannot be written" : "the disk is too slow");
    }
  }

  private boolean step(Heartbeat heart) throws InterruptedException {
    heart.rest();
    Entry first = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
    heart.beat();
    List<Entry> batch = new ArrayList<>();
    if (first != null) {
      batch.add(first);
      queue.drainTo(batch, BATCH);
    }
    batch.forEach(writer::take);
    writer.flushIfDue();
    return true;
  }

  /** Writes what is in the queue and marks the end. The engine's thread must have ended. */
  @Override
  public void close() {
    thread.finish(Duration.ofSeconds(2));
    List<Entry> rest = new ArrayList<>();
    queue.drainTo(rest);
    rest.forEach(writer::take);
    if (recording && writer.isBroken()) {
      gaps.increment(); // no later entry has told it
    }
    writer.end();
  }
}
