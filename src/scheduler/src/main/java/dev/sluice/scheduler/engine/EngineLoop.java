package dev.sluice.scheduler.engine;

import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.Inactivity;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.decision.CycleResult;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that owns the engine. It takes in what it is told, then runs cycles back to back
 * while one finds something to do, taking in what came meanwhile in between. Then it rests for some
 * milliseconds, so that what comes in a stream is taken in together. Times are whole seconds, as
 * the API server stores them, so that what is decided is what is read back.
 */
public final class EngineLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EngineLoop.class);
  private static final int INBOX = 1 << 16;
  private static final int BATCH = 4_096;

  /** How late a backoff may end. */
  private static final long IDLE_MILLIS = 500;

  /** Cycles after which the inbox is looked at although there is more to decide. */
  private static final int CYCLES = 16;

  /**
   * How many times as long as it worked it waits before it works again, and the longest that it
   * waits. Whoever waits for others to give way is looked at again in each cycle, so a stream of
   * changes costs less in batches.
   */
  private static final int REST = 4;

  private static final Duration LONGEST_REST = Duration.ofMillis(20);

  private static final Duration BETWEEN_AUDITS = Duration.ofMillis(250);

  /** Who is told what the loop does; all on its thread, so it must not wait. */
  public interface Listener {
    /** To be stored. */
    void decided(List<Decided> decisions);

    /** These ClusterQueues came, went, or became active or inactive. */
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
  private final BlockingQueue<Change> inbox = new ArrayBlockingQueue<>(INBOX);
  private final Pace pace = new Pace(REST, LONGEST_REST, System.nanoTime());
  private final Thread thread;
  private Map<String, List<Inactivity>> activity = new HashMap<>();
  private Iterator<String> toAudit = Collections.emptyIterator();
  private long lastAudit = System.nanoTime();
  private volatile Snapshot snapshot;
  private volatile boolean deciding;
  private volatile boolean closed;

  /** Starts the thread; it only takes in before {@link #decide}. */
  public EngineLoop(QuotaEngine engine, InstantSource clock, Listener listener) {
    this.engine = engine;
    this.clock = clock;
    this.listener = listener;
    this.snapshot = engine.snapshot(now());
    this.thread = Thread.ofPlatform().name("sluice-engine").unstarted(this::run);
  }

  /** Starts to take in. */
  public void start() {
    thread.start();
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }

  /** Whether cycles run: those after a yes know all that was told before it. */
  public void decide(boolean yes) {
    deciding = yes;
    LOG.debug("cycles {}", yes ? "run" : "rest");
  }

  /** The state after all that was taken in and decided. */
  public Snapshot snapshot() {
    return snapshot;
  }

  /** Something is so; waits while there is too much to take in. */
  public void tell(Change change) {
    try {
      while (!closed && !inbox.offer(change, 1, TimeUnit.SECONDS)) {
        LOG.debug("the engine is behind: {} changes wait", inbox.size());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // only who stops us interrupts
    }
  }

  /** It is stored, and the API server answered with this. */
  public void stored(Workload answer) {
    EngineChanges.ofStored(answer).forEach(this::tell);
  }

  /** What was decided about this Workload will not be stored. */
  public void lost(Workload workload) {
    tell(EngineChanges.ofLost(workload));
  }

  private void run() {
    boolean more = false;
    long began = System.nanoTime();
    boolean caughtUp = false; // all that was told before we began to decide is taken in
    while (!closed) {
      try {
        List<Change> batch = next(more);
        began = more ? began : System.nanoTime();
        take(batch);
        caughtUp = deciding && (caughtUp || inbox.isEmpty());
        more = caughtUp && cycles();
        if (caughtUp && !more) {
          pace.worked(began, System.nanoTime());
        }
        auditNext();
      } catch (InterruptedException _) {
        return; // only close interrupts
      } catch (RuntimeException e) {
        LOG.error("a cycle failed; the next one may do better", e);
        more = false;
      }
    }
  }

  /**
   * Now and then, of one ClusterQueue, what only this thread may look at; who is woken matters only
   * where somebody is decided on.
   */
  private void auditNext() {
    long now = System.nanoTime();
    if (!deciding || now - lastAudit < BETWEEN_AUDITS.toNanos()) {
      return;
    }
    lastAudit = now;
    if (!toAudit.hasNext()) {
      toAudit = snapshot.clusterQueues().iterator();
    }
    List<String> findings = toAudit.hasNext() ? engine.auditWakeUps(toAudit.next()) : List.of();
    if (!findings.isEmpty()) {
      listener.found(findings);
    }
  }

  private List<Change> next(boolean more) throws InterruptedException {
    List<Change> batch = new ArrayList<>();
    Change first = more ? inbox.poll() : inbox.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
    if (first != null) {
      if (!more) {
        TimeUnit.NANOSECONDS.sleep(pace.left(System.nanoTime()));
      }
      batch.add(first);
      inbox.drainTo(batch, BATCH);
    }
    return batch;
  }

  private void take(List<Change> batch) {
    boolean queues = false;
    for (Change change : batch) {
      try {
        engine.apply(change, now());
      } catch (RuntimeException e) {
        LOG.error("{} could not be taken in", change, e); // one bad object must not stop the others
      }
      queues |= concernsQueues(change);
    }
    if (!batch.isEmpty()) {
      publish();
    }
    if (queues) {
      tellActivity();
    }
  }

  private static boolean concernsQueues(Change change) {
    return switch (change) {
      case Change.WorkloadIs _, Change.WorkloadAnswered _ -> false;
      case Change.StatusStored _, Change.StatusLost _ -> false;
      case Change.Gone(var kind, _, _) -> kind != Change.Kind.WORKLOAD;
      default -> true;
    };
  }

  private void publish() {
    snapshot = engine.snapshot(now());
    listener.moved();
  }

  private void tellActivity() {
    Map<String, List<Inactivity>> next = new HashMap<>();
    for (String queue : snapshot.clusterQueues()) {
      next.put(queue, snapshot.inactivity(queue));
    }
    Set<String> changed = new TreeSet<>();
    Set<String> all = new TreeSet<>(activity.keySet());
    all.addAll(next.keySet());
    for (String queue : all) {
      List<Inactivity> now = next.get(queue);
      if (now == null || !now.equals(activity.get(queue))) {
        changed.add(queue);
      }
    }
    activity = next;
    if (!changed.isEmpty()) {
      listener.queuesChanged(changed);
    }
  }

  /** Whether there is more to decide. */
  private boolean cycles() {
    for (int i = 0; i < CYCLES; i++) {
      Instant now = now();
      Snapshot before = engine.snapshot(now);
      long began = System.nanoTime();
      CycleResult result = engine.cycle(now);
      if (result.outcomes().isEmpty()) {
        return false;
      }
      listener.cycled(result, System.nanoTime() - began);
      publish();
      List<Decided> decided = Decisions.of(result, before, snapshot);
      if (!decided.isEmpty()) {
        listener.decided(decided);
      }
      if (!result.changed() || !inbox.isEmpty()) {
        return result.changed();
      }
    }
    return true;
  }

  /** Takes in nothing more. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(2_000);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // whoever stops us is in a hurry
    }
  }
}
