package dev.sluice.scheduler.queue;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ExponentialBackoff;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.store.SpecChanges;
import dev.sluice.quota.Snapshot;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.scheduler.store.Outbox;
import dev.sluice.scheduler.work.Controller;
import dev.sluice.scheduler.write.WriteResult;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.Part;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Computes the status of all queues after a change, and writes the differences. Passes have a
 * minimum distance, so that a thousand admissions cause one write to each queue; while queues keep
 * moving, the next one waits longer the more a pass had to write ({@link PassPace}). A pass with
 * failed writes is repeated, and an object whose write is refused is left out of some passes
 * ({@link RefusedWrites}). What changes by itself as time goes by, as usage that fades, is written
 * by passes at rest.
 */
public final class QueueStatusController implements Controller {
  private static final int PARALLEL = 16;

  /** The kinds whose objects a queue is made of. */
  private static final Set<GroupKind> KINDS =
      Set.of(
          ApiKind.CLUSTER_QUEUE.groupKind(),
          ApiKind.LOCAL_QUEUE.groupKind(),
          ApiKind.COHORT.groupKind(),
          ApiKind.RESOURCE_FLAVOR.groupKind(),
          ApiKind.ADMISSION_CHECK.groupKind(),
          ApiKind.TOPOLOGY.groupKind());

  /** After so many failed passes in a row the pause has its maximum: half a minute. */
  private static final int MOST_DOUBLINGS = 6;

  /** The longest that one write, or the pause between two passes, may take. */
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  private final Objects objects;
  private final Supplier<Snapshot> snapshot;
  private final boolean fairSharing;
  private final Outbox outbox;
  private final BooleanSupplier leads;
  private final InstantSource clock;
  private final Duration apart;
  private final ExponentialBackoff afterFailures;
  private final Optional<Duration> atRest;
  private final Semaphore moved = new Semaphore(0);
  private final Semaphore urgent = new Semaphore(0);
  private final PassPace pace = new PassPace(System.nanoTime());
  private final ExecutorService senders;
  private final Part part;
  private final SupervisedThread thread;

  /** Passes in a row that could not write all; used by the thread only. */
  private int failures;

  /** Used by the thread only. */
  private final QueueReads reads = new QueueReads();

  /** Used by the thread only. */
  private final SettledQueues settled = new SettledQueues();

  /** Used by the thread only. */
  private final AwaitedQueues awaited = new AwaitedQueues();

  /** Used by the thread only. */
  private final RefusedWrites refused;

  /**
   * Starts to go over queues.
   *
   * @param apart the least time between two passes
   * @param atRest how long after a pass the next one is made although nothing moved, if ever
   */
  public QueueStatusController(
      Objects objects,
      Supplier<Snapshot> snapshot,
      boolean fairSharing,
      Outbox outbox,
      BooleanSupplier leads,
      InstantSource clock,
      Duration apart,
      Optional<Duration> atRest,
      Supervisor supervisor) {
    this.objects = objects;
    this.snapshot = snapshot;
    this.fairSharing = fairSharing;
    this.outbox = outbox;
    this.leads = leads;
    this.clock = clock;
    this.apart = apart;
    this.afterFailures =
        new ExponentialBackoff(apart.multipliedBy(2), apart.multipliedBy(1L << MOST_DOUBLINGS));
    this.refused = new RefusedWrites(afterFailures);
    this.atRest = atRest;
    this.senders =
        Executors.newFixedThreadPool(
            PARALLEL, Thread.ofVirtual().name("sluice-queue-status-", 0).factory());
    this.part = supervisor.part("queues");
    this.thread = part.thread(Thread.ofVirtual(), DEADLINE, this::step).start();
  }

  @Override
  public void changed(GroupKind kind, ObjectChange change) {
    if (!KINDS.contains(kind)) {
      return;
    }
    if (SpecChanges.isOne(change)) {
      changed();
    } else {
      moved();
    }
  }

  @Override
  public void resync() {
    moved();
  }

  /** A count may be another; the next pass writes it. */
  public void moved() {
    pace.moved(System.nanoTime());
    signal(moved);
  }

  /** A queue changed, or became active or inactive: the next pass starts without a pause. */
  public void changed() {
    signal(urgent);
    signal(moved);
  }

  private static void signal(Semaphore semaphore) {
    if (semaphore.availablePermits() == 0) {
      semaphore.release();
    }
  }

  private boolean step(Heartbeat heart) throws InterruptedException {
    heart.rest();
    awaitMove();
    heart.beat();
    boolean all = false;
    try {
      urgent.drainPermits();
      Passed passed = pass(heart);
      failures = passed.failed() ? Math.min(failures + 1, MOST_DOUBLINGS) : 0;
      all = passed.all();
      long since = System.nanoTime();
      TimeUnit.NANOSECONDS.sleep(apart.toNanos());
      pause(passed, since);
    } finally {
      if (!all) {
        moved(); // also after a failure: what it left out is for the next pass
      }
    }
    return true;
  }

  private void awaitMove() throws InterruptedException {
    long rest = atRest.map(Duration::toNanos).orElse(Long.MAX_VALUE);
    long longest = Math.min(rest, refused.left(System.nanoTime()));
    var _ = moved.tryAcquire(longest, TimeUnit.NANOSECONDS);
    moved.drainPermits();
  }

  /** Waits as long as such a pass asks for, unless something urgent ends it. */
  private void pause(Passed passed, long since) throws InterruptedException {
    if (!passed.all()) {
      long pause = failures == 0 ? 0 : afterFailures.after(failures).toNanos() - apart.toNanos();
      var _ = urgent.tryAcquire(Math.max(0, pause), TimeUnit.NANOSECONDS);
      return;
    }
    long left = pace.left(since, passed.writes(), System.nanoTime());
    while (left > 0 && !urgent.tryAcquire(left, TimeUnit.NANOSECONDS)) {
      left = pace.left(since, passed.writes(), System.nanoTime()); // it may have moved meanwhile
    }
  }

  /**
   * A pass.
   *
   * @param all whether there is nothing left to write but what was refused
   * @param failed whether something else could not be written
   */
  private record Passed(boolean all, boolean failed, int writes) {}

  private Passed pass(Heartbeat heart) throws InterruptedException {
    if (!leads.getAsBoolean()) {
      refused.forget();
      return new Passed(true, false, 0);
    }
    reads.begin();
    List<Write> planned =
        QueuePlanner.plan(
            QueueObjects.of(objects, reads),
            snapshot.get(),
            fairSharing,
            clock.instant().truncatedTo(ChronoUnit.SECONDS),
            settled,
            awaited);
    List<Write> due = refused.due(planned, System.nanoTime());
    List<Future<Written>> under = new ArrayList<>();
    EnumSet<Written> results = EnumSet.noneOf(Written.class);
    try {
      due.forEach(write -> under.add(senders.submit(() -> send(write))));
      for (int i = 0; i < due.size(); i++) {
        Written result = result(under.get(i));
        if (result == Written.REFUSED) {
          refused.refused(due.get(i), System.nanoTime());
        }
        results.add(result);
        heart.beat();
      }
    } finally {
      under.forEach(write -> write.cancel(true)); // nothing to do but after a failure
    }
    boolean all =
        awaited.isEmpty() && EnumSet.of(Written.DONE, Written.REFUSED).containsAll(results);
    return new Passed(all, results.contains(Written.FAILED), due.size());
  }

  private Written result(Future<Written> write) throws InterruptedException {
    try {
      return write.get();
    } catch (ExecutionException e) {
      part.failed(e.getCause() == null ? e : e.getCause(), "the next pass writes the queue again");
      return Written.FAILED;
    }
  }

  private enum Written {
    DONE,
    /** So that the status can be written next. */
    FINALIZER,
    REFUSED,
    FAILED
  }

  private Written send(Write write) {
    WriteResult sent = outbox.send(write);
    switch (sent) {
      case WriteResult.Done _ -> {
        return write instanceof Write.MergePatch patch && patch.subresource().isEmpty()
            ? Written.FINALIZER
            : Written.DONE;
      }
      case WriteResult.Missing _ -> {
        return Written.DONE; // gone, as the view will tell
      }
      case WriteResult.Refused _ -> {
        return Written.REFUSED;
      }
      case WriteResult.Conflict _, WriteResult.Unanswered _, WriteResult.NotLeading _ -> {
        return Written.FAILED;
      }
    }
  }

  @Override
  public void close() {
    thread.close(Duration.ZERO);
    senders.shutdownNow();
  }
}
