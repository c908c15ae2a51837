package dev.sluice.server.history;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Change;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.history.Gap;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.HistoryTracker;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the history of a cluster to a folder, on a thread of its own. A watch only puts what it
 * saw into a bounded queue, and never waits. Thread-safe.
 *
 * <p>Lines are on the disk at most a second after they were written. If the disk takes none, the
 * history stops, says so, and tries again each minute; then it fills in what the objects tell.
 */
public final class HistoryRecorder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryRecorder.class);
  private static final int INBOX = 1 << 16;
  private static final int BATCH = 1 << 10;
  private static final long IDLE_MILLIS = 250;
  private static final Duration BETWEEN_SYNCS = Duration.ofSeconds(1);
  private static final Duration BETWEEN_TRIES = Duration.ofMinutes(1);
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  /** The objects of the cluster as they are known. Safe for many threads. */
  public interface Known {
    /** Whether all lists are complete. */
    boolean isComplete();

    /** The Workload of that name, or null. */
    @Nullable JsonNode workload(ObjectKey key);

    /** All Workloads. */
    Iterable<JsonNode> workloads();
  }

  private final long instance = new SecureRandom().nextLong(1, 1L << 53);
  private final Path folder;
  private final Known known;
  private final InstantSource clock;
  private final HistoryCounts counts = new HistoryCounts();
  private final BlockingQueue<Change> inbox = new ArrayBlockingQueue<>(INBOX);
  private final AtomicBoolean overflown = new AtomicBoolean();
  private final HistoryTracker tracker = new HistoryTracker();
  private final ChangeLines changed;
  private final Consumer<HistoryLine> listener;
  private final SupervisedThread thread;
  private final long bound;

  // of the thread alone from start on
  private @Nullable SegmentStore store;
  private @Nullable Instant begins;
  private boolean checked;
  private Instant synced = Instant.MIN;
  private Instant written;
  private Instant stoppedAt = Instant.MIN;
  private String reason = Gap.DISK; // why it was stopped

  private HistoryRecorder(
      Path folder,
      long bound,
      EngineConfiguration configuration,
      Known known,
      Consumer<HistoryLine> listener,
      InstantSource clock,
      Supervisor supervisor) {
    this.folder = folder;
    this.bound = bound;
    this.changed = new ChangeLines(tracker, configuration, clock);
    this.written = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    this.known = known;
    this.listener = listener;
    this.clock = clock;
    this.thread =
        supervisor.part("history").thread(Thread.ofPlatform().daemon(), DEADLINE, this::step);
  }

  /**
   * Opens the folder and reads what is there. Nothing is written before {@link #start}.
   *
   * @param bound of all segments together, in bytes
   * @param listener receives each line in order, those that are there first; by one thread
   * @throws IOException if the folder cannot be used, or another process uses it
   */
  public static HistoryRecorder open(
      Path folder,
      long bound,
      EngineConfiguration configuration,
      Known known,
      Consumer<HistoryLine> listener,
      InstantSource clock,
      Supervisor supervisor)
      throws IOException {
    HistoryRecorder recorder =
        new HistoryRecorder(folder, bound, configuration, known, listener, clock, supervisor);
    recorder.open(Gap.RESTART, listener);
    return recorder;
  }

  private void open(String reason, Consumer<HistoryLine> replayed) throws IOException {
    SegmentStore opened = SegmentStore.open(folder, bound);
    try {
      tracker.clear();
      long odd =
          HistoryFiles.read(
              folder,
              line -> {
                tracker.replay(line);
                replayed.accept(line);
              });
      if (odd > 0 || opened.cut() > 0) {
        LOG.warn(
            "{}: {} lines are no lines of a history, and {} bytes of a torn line were removed",
            folder,
            odd,
            opened.cut());
      }
      Instant last = tracker.last();
      begins = last;
      checked = false;
      if (last != null) {
        gap(opened, new Gap(last, now(), reason));
      }
      store = opened;
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private void gap(SegmentStore opened, Gap gap) throws IOException {
    counts.gap(gap.reason());
    counts.dropped(opened.append(List.of(HistoryJson.bytes(gap))));
    listener.accept(gap);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }

  /** Starts the thread; to be called once. */
  public HistoryRecorder start() {
    thread.start();
    return this;
  }

  /** Takes note of a change that a watch saw; never waits. */
  public void note(Change change) {
    if (!inbox.offer(change)) {
      counts.lost();
      overflown.set(true);
    }
  }

  /** What is known of Workloads and quotas now. */
  public HistoryTracker tracker() {
    return tracker;
  }

  /** The lines of the folder, page by page. */
  public HistoryPages pages() {
    return new HistoryPages(instance, folder, tracker, clock);
  }

  private boolean step(Heartbeat heart) throws InterruptedException {
    boolean complete = known.isComplete();
    boolean overflow = overflown.getAndSet(false);
    List<Change> changes = new ArrayList<>();
    heart.rest();
    Change first = inbox.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
    heart.beat();
    if (first != null) {
      changes.add(first);
      inbox.drainTo(changes, BATCH);
    }
    boolean done = false;
    try {
      if (isRunning()) {
        pass(changes, complete && changes.size() < BATCH, overflow); // no more was waiting
      }
      done = true;
    } catch (IOException e) {
      stop(e);
      done = true;
    } finally {
      if (!done) {
        startOver();
      }
    }
    return true;
  }

  /** What was in hand may be noted and not written: the next step reads the folder again. */
  private void startOver() {
    SegmentStore open = store;
    store = null;
    stoppedAt = Instant.MIN;
    reason = Gap.RESTART;
    close(open);
  }

  private boolean isRunning() throws IOException {
    if (store == null && isOver(stoppedAt, BETWEEN_TRIES)) {
      open(reason, _ -> {});
      overflown.set(true); // what was not written is read from the objects
      counts.stopped(false);
      LOG.info("the history in {} goes on", folder);
    }
    return store != null;
  }

  private void pass(List<Change> changes, boolean isListed, boolean overflow) throws IOException {
    List<HistoryLine> lines = new ArrayList<>();
    changes.forEach(it -> lines.addAll(changed.lines(it)));
    if (overflow) {
      Instant now = now();
      counts.gap(Gap.QUEUE_FULL);
      lines.add(new Gap(written.isAfter(now) ? now : written, now, Gap.QUEUE_FULL));
      known.workloads().forEach(it -> lines.addAll(changed.version(it)));
      checked = false;
    }
    if (isListed && !checked) {
      Instant since = begins;
      lines.addAll(tracker.missing(this::isThere, since == null ? now() : since));
      begins = null;
      checked = true;
    }
    write(lines);
  }

  private boolean isThere(ObjectKey key, String uid) {
    JsonNode found = known.workload(key);
    return found != null && found.path("metadata").path("uid").asText().equals(uid);
  }

  private void write(List<HistoryLine> lines) throws IOException {
    SegmentStore open = store;
    if (open == null) {
      return;
    }
    if (!lines.isEmpty()) {
      counts.dropped(open.append(lines.stream().map(HistoryJson::bytes).toList()));
      counts.lines(lines.size());
      written = now();
      lines.forEach(listener);
    }
    if (isOver(synced, BETWEEN_SYNCS)) {
      open.sync();
      synced = clock.instant();
      counts.bytes(open.segments().values().stream().mapToLong(Long::longValue).sum());
    }
  }

  /** Whether that time has passed since then; also if the clock was set back meanwhile. */
  private boolean isOver(Instant since, Duration time) {
    Instant now = clock.instant();
    return now.isBefore(since) || !now.isBefore(since.plus(time));
  }

  private void stop(IOException cause) {
    SegmentStore open = store;
    store = null;
    stoppedAt = clock.instant();
    counts.stopped(true);
    LOG.error(
        "the history in {} stops, and is tried again each minute; all else goes on: {}",
        folder,
        cause.toString());
    reason = Gap.DISK;
    close(open);
  }

  private static void close(@Nullable SegmentStore open) {
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        LOG.debug("the history did not close", e);
      }
    }
  }

  /** Measures what is written and what is lost. */
  public void bindTo(MeterRegistry registry) {
    counts.bindTo(registry, inbox);
  }

  /** Writes what is queued, as far as that takes no longer than ten seconds. */
  @Override
  public void close() {
    thread.finish(Duration.ofSeconds(10));
    SegmentStore open = store;
    if (open != null) {
      try {
        List<Change> rest = new ArrayList<>();
        inbox.drainTo(rest);
        pass(rest, false, false);
        open.close();
      } catch (IOException e) {
        LOG.warn("the history in {} did not close: {}", folder, e.toString());
      }
    }
  }
}
