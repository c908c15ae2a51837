package dev.sluice.server.history;

import dev.sluice.quota.Change;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.HistoryTracker;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Makes the lines of a history where none is kept, on a thread of its own. A watch only puts what
 * it saw into a bounded queue, and never waits. If that is full, what was lost is read from the
 * objects. Thread-safe.
 */
public final class LogFeed implements AutoCloseable {
  private static final int INBOX = 1 << 16;
  private static final int BATCH = 1 << 10;
  private static final long IDLE_MILLIS = 250;
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private final HistoryRecorder.Known known;
  private final Consumer<HistoryLine> listener;
  private final InstantSource clock;
  private final HistoryTracker tracker = new HistoryTracker();
  private final ChangeLines changed;
  private final BlockingQueue<Change> inbox;
  private final AtomicBoolean overflown = new AtomicBoolean();
  private final SupervisedThread thread;

  /**
   * Feeds that listener from {@link #start} on.
   *
   * @param listener receives each line in the order in which it was seen; by one thread
   */
  public LogFeed(
      EngineConfiguration configuration,
      HistoryRecorder.Known known,
      Consumer<HistoryLine> listener,
      InstantSource clock,
      Supervisor supervisor) {
    this(configuration, known, listener, clock, supervisor, INBOX);
  }

  LogFeed(
      EngineConfiguration configuration,
      HistoryRecorder.Known known,
      Consumer<HistoryLine> listener,
      InstantSource clock,
      Supervisor supervisor,
      int inbox) {
    this.known = known;
    this.listener = listener;
    this.clock = clock;
    this.changed = new ChangeLines(tracker, configuration, clock);
    this.inbox = new ArrayBlockingQueue<>(inbox);
    this.thread = supervisor.part("log").thread(Thread.ofPlatform().daemon(), DEADLINE, this::step);
  }

  /** Starts the thread; to be called once. */
  public void start() {
    thread.start();
  }

  /** Takes note of a change that a watch saw; never waits. */
  public void note(Change change) {
    if (!inbox.offer(change)) {
      overflown.set(true);
    }
  }

  private boolean step(Heartbeat heart) throws InterruptedException {
    List<Change> changes = new ArrayList<>();
    heart.rest();
    Change first = inbox.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
    heart.beat();
    if (first != null) {
      changes.add(first);
      inbox.drainTo(changes, BATCH);
      changes.forEach(it -> changed.lines(it).forEach(listener));
    }
    if (changes.size() < BATCH && overflown.getAndSet(false)) { // all that was kept is taken in
      known.workloads().forEach(it -> changed.version(it).forEach(listener));
      tracker
          .missing(
              (key, uid) -> {
                var found = known.workload(key);
                return found != null && found.path("metadata").path("uid").asText().equals(uid);
              },
              clock.instant().truncatedTo(ChronoUnit.SECONDS))
          .forEach(listener);
    }
    return true;
  }

  @Override
  public void close() {
    thread.close(Duration.ofSeconds(2));
  }
}
