package dev.sluice.scheduler.engine;

import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.audit.Audit;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.Part;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that owns the engine. It applies the submitted changes, then runs cycles until one
 * finds nothing to do, and applies new changes between two cycles. Then it pauses for some
 * milliseconds, so that a stream of changes is applied in batches. Times are whole seconds, as the
 * API server stores them, so that decisions equal what is read back.
 */
public final class EngineLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EngineLoop.class);

  /** How late a backoff may end. */
  private static final long IDLE_MILLIS = 500;

  /** Cycles after which queued changes are applied although there is more to decide. */
  private static final int CYCLES = 16;

  /**
   * The wait after work as a multiple of its duration, and the longest wait. Workloads that wait
   * for preempted ones are evaluated again after each change in their tree, so a stream of changes
   * costs less in batches.
   */
  private static final int REST = 10;

  private static final Duration LONGEST_REST = Duration.ofMillis(50);

  /** The longest that a batch or a cycle may take; the largest one measured took a second. */
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /** Listens to the loop. All methods are called on its thread and must not block. */
  public interface Listener {
    /** For an engine whose snapshots are read, and whose decisions are not used. */
    Listener NONE =
        new Listener() {
          @Override
          public void decided(List<StatusUpdate> decisions) {}

          @Override
          public void queuesChanged(Set<String> clusterQueues) {}

          @Override
          public void moved() {}

          @Override
          public void cycled(CycleResult result, long nanos) {}

          @Override
          public void found(List<String> findings) {}
        };

    /** To be stored. */
    void decided(List<StatusUpdate> decisions);

    /** These ClusterQueues were created or deleted, or became active or inactive. */
    void queuesChanged(Set<String> clusterQueues);

    /** Something changed: there is a new snapshot. */
    void moved();

    /** A cycle took that long. */
    void cycled(CycleResult result, long nanos);

    /** The engine found this about itself: a sentence for each law that is broken. */
    void found(List<String> findings);
  }

  private final QuotaEngine engine;
  private final InstantSource clock;
  private final Listener listener;
  private final EngineTap tap;
  private final EngineInbox inbox = new EngineInbox();
  private final ChangeDelay delay = new ChangeDelay(REST, LONGEST_REST, System.nanoTime());
  private final Part part;
  private final SupervisedThread thread;

  /** Decided and not yet handed to the listener; of the thread alone, as are all that follow. */
  private final List<StatusUpdate> undelivered = new ArrayList<>();

  private boolean unpublished;
  private boolean queuesTouched;
  private boolean more;

  /** All changes submitted before this cycle began have been applied. */
  private boolean caughtUp;

  private long began = System.nanoTime();
  private QueueActivity activity = QueueActivity.NONE;
  private final WakeUpAudit audit = new WakeUpAudit(System.nanoTime());
  private final ChangeCount changes = new ChangeCount();
  private final WantedForks forks = new WantedForks();
  private volatile Snapshot snapshot;
  private volatile boolean deciding;

  /** Starts the thread; before {@link #decide} it only applies changes. */
  public EngineLoop(QuotaEngine engine, InstantSource clock, Listener listener) {
    this(engine, clock, listener, new Supervisor());
  }

  /**
   * Starts the thread, as the part {@code engine}; before {@link #decide} it only applies changes.
   */
  public EngineLoop(
      QuotaEngine engine, InstantSource clock, Listener listener, Supervisor supervisor) {
    this(engine, clock, listener, supervisor, EngineTap.NONE);
  }

  /**
   * The same with a tap.
   *
   * @param engine one that was not called before
   * @param tap sees all calls of the engine
   */
  public EngineLoop(
      QuotaEngine engine,
      InstantSource clock,
      Listener listener,
      Supervisor supervisor,
      EngineTap tap) {
    this.engine = engine;
    this.clock = clock;
    this.listener = listener;
    this.tap = tap;
    this.snapshot = look(now());
    this.part = supervisor.part("engine");
    this.thread = part.thread(Thread.ofPlatform(), DEADLINE, this::step);
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  /** Makes a snapshot. That settles the trees, so a recording of decisions must have it. */
  private Snapshot look(Instant now) {
    Snapshot seen = engine.snapshot(now);
    tap.looked(now, seen);
    return seen;
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }

  /** Turns cycles on or off. Cycles after this call see all changes submitted before it. */
  public void decide(boolean yes) {
    deciding = yes;
    LOG.debug("scheduling cycles are {}", yes ? "on" : "off");
  }

  /** The state after all applied changes and decisions. */
  public Snapshot snapshot() {
    return snapshot;
  }

  /** How many changes came, and how many are in {@link #snapshot}. */
  public ChangeCount changes() {
    return changes;
  }

  /**
   * Queues a change; blocks while the queue is full. An interrupt does not lose the change: the
   * interrupt flag is set again on return.
   */
  public void submit(Change change) {
    if (inbox.put(change)) {
      changes.submit();
    }
  }

  /**
   * An engine of its own in the state of the snapshot that comes with it. The loop makes it between
   * two of its steps, soon and without work that grows with the Workloads. What depends on it
   * directly runs on the thread of the loop, so let an executor do it. It fails with an
   * IllegalStateException once the loop is closed.
   */
  public CompletableFuture<EngineFork> fork() {
    CompletableFuture<EngineFork> wanted = forks.add(inbox.isClosed());
    inbox.wake();
    return wanted;
  }

  /** It is stored, and the API server answered with this. */
  public void stored(Workload answer) {
    EngineChanges.ofStored(answer).forEach(this::submit);
  }

  /** This decision will not be stored, nor will what follows from it. */
  public void lost(StatusUpdate decided) {
    EngineChanges.ofLost(decided).forEach(this::submit);
  }

  /** One batch, and the cycles after it. What a failed step had in hand is there for the next. */
  private boolean step(Heartbeat heart) throws InterruptedException {
    deliver();
    boolean waits = !more;
    inbox.take(waits ? IDLE_MILLIS : 0, () -> waits ? delay.left(System.nanoTime()) : 0);
    began = more ? began : System.nanoTime();
    more = false; // unless this step says so: a failure must not keep the next one from waiting
    take();
    forks.answer(engine, snapshot);
    caughtUp = deciding && (caughtUp || inbox.isEmpty());
    more = caughtUp && cycles(heart);
    if (caughtUp && !more) {
      delay.worked(began, System.nanoTime());
    }
    auditNext();
    return true;
  }

  /** Audits one ClusterQueue at intervals; requeueing is checked only while cycles run. */
  private void auditNext() {
    List<String> findings = deciding ? audit.next(engine, snapshot, System.nanoTime()) : List.of();
    if (!findings.isEmpty()) {
      listener.found(findings);
    }
  }

  private void take() {
    for (Change change = inbox.next(); change != null; change = inbox.next()) {
      unpublished = true;
      queuesTouched |= concernsQueues(change);
      changes.take();
      apply(change);
    }
    if (unpublished) {
      publish();
    }
    if (queuesTouched) {
      tellActivity();
      queuesTouched = false;
    }
  }

  /**
   * One bad object must not stop the others. Where it left the state broken, an engine that decides
   * ends the process: the next one begins with what is stored.
   */
  private void apply(Change change) {
    try {
      Instant now = now();
      tap.applying(now, change);
      engine.apply(change, now);
    } catch (RuntimeException e) {
      LOG.error("the engine failed to apply {}; it ignores the object until it changes", change);
      part.failed(e, "the engine applies the other changes");
      List<String> findings = deciding ? Audit.findings(look(now())) : List.of();
      if (!findings.isEmpty()) {
        part.end("left an inconsistent quota state after a failure: " + findings.getFirst(), e);
      }
    }
  }

  private static boolean concernsQueues(Change change) {
    return switch (change) {
      case Change.Upserted<?> upserted -> QueueActivity.dependsOn(upserted.kind());
      case Change.Deleted deleted -> QueueActivity.dependsOn(deleted.kind());
      case Change.WorkloadAnswered _, Change.StatusStored _, Change.StatusWriteFailed _ -> false;
    };
  }

  private void publish() {
    snapshot = look(now());
    changes.publish();
    announce();
  }

  private void announce() {
    listener.moved();
    unpublished = false;
  }

  private void tellActivity() {
    QueueActivity next = QueueActivity.of(snapshot);
    Set<String> changed = activity.changesTo(next);
    if (!changed.isEmpty()) {
      listener.queuesChanged(changed);
    }
    activity = next;
  }

  /** Whether there is more to decide. */
  private boolean cycles(Heartbeat heart) {
    for (int i = 0; i < CYCLES; i++) {
      heart.beat();
      Instant now = now();
      long start = System.nanoTime();
      CycleResult result = cycle(now);
      if (result.outcomes().isEmpty()) {
        return false;
      }
      listener.cycled(result, System.nanoTime() - start);
      announce();
      deliver();
      if (!result.changed() || !inbox.isEmpty()) {
        return result.changed();
      }
    }
    return true;
  }

  /**
   * Runs one cycle. If it fails, workloads may hold quota in memory that is never stored, and no
   * audit can distinguish that from a reservation being written. So the process ends, and the next
   * one starts from the stored state.
   */
  private CycleResult cycle(Instant now) {
    try {
      CycleResult result = engine.cycleOfNews(now);
      tap.cycled(now, result);
      if (!result.outcomes().isEmpty()) {
        snapshot = look(now);
        undelivered.addAll(StatusUpdates.of(result));
        unpublished = true;
      }
      return result;
    } catch (RuntimeException e) {
      tap.failed(now, e);
      part.end("failed in a scheduling cycle, with decisions half made: " + e, e);
      throw e; // only where a test records the end
    }
  }

  /** Hands on what was decided. If the listener fails, it gets the same again. */
  private void deliver() {
    if (!undelivered.isEmpty()) {
      listener.decided(List.copyOf(undelivered));
      undelivered.clear();
    }
  }

  /** Takes in nothing more. */
  @Override
  public void close() {
    inbox.close();
    thread.close(Duration.ofSeconds(2));
    forks.refuse();
  }
}
