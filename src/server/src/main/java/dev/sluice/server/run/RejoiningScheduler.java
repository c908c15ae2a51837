package dev.sluice.server.run;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.api.ExponentialBackoff;
import dev.sluice.quota.Snapshot;
import dev.sluice.scheduler.Scheduler;
import dev.sluice.scheduler.engine.EngineFork;
import dev.sluice.server.schedule.Scheduling;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.server.Page;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduler of a process that also serves webhooks. When it loses the Lease, it stops writing,
 * and a new scheduler joins the election after a pause. The old one keeps watching until the new
 * view is complete, so that admission always knows the quotas. Thread-safe.
 */
final class RejoiningScheduler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RejoiningScheduler.class);
  private static final ExponentialBackoff PAUSES =
      new ExponentialBackoff(Duration.ofSeconds(5), Duration.ofMinutes(1));

  /** After leading for so long, the loss of the Lease was an incident, not a permanent fault. */
  private static final Duration LONG = Duration.ofMinutes(5);

  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  private final BiFunction<MeterRegistry, Runnable, Scheduling> starter;
  private final MeterRegistry pages;
  private final ExponentialBackoff pauses;
  private final Semaphore deposed = new Semaphore(0);
  private final SupervisedThread thread;
  private int earlyLosses; // in a row; of the thread

  /** Asked for what is known; replaced once its successor has seen all. */
  private volatile Term current;

  /** Not complete yet. */
  @GuardedBy("this")
  private @Nullable Term next;

  @GuardedBy("this")
  private boolean closed;

  /** One scheduler, and what is measured of it alone. */
  private record Term(Scheduling scheduling, CompositeMeterRegistry meters, long began) {}

  private RejoiningScheduler(
      BiFunction<MeterRegistry, Runnable, Scheduling> starter,
      MeterRegistry pages,
      ExponentialBackoff pauses,
      Supervisor supervisor) {
    this.starter = starter;
    this.pages = pages;
    this.pauses = pauses;
    this.current = begin();
    this.thread =
        supervisor.part("rejoin").thread(Thread.ofVirtual(), DEADLINE, this::step).start();
  }

  /**
   * Starts one; returns at once.
   *
   * @param starter starts a scheduler, which registers its metrics and calls the runnable when it
   *     loses the Lease
   * @param pages shows the metrics of the current scheduler
   */
  static RejoiningScheduler start(
      BiFunction<MeterRegistry, Runnable, Scheduling> starter,
      MeterRegistry pages,
      Supervisor supervisor) {
    return start(starter, pages, PAUSES, supervisor);
  }

  static RejoiningScheduler start(
      BiFunction<MeterRegistry, Runnable, Scheduling> starter,
      MeterRegistry pages,
      ExponentialBackoff pauses,
      Supervisor supervisor) {
    return new RejoiningScheduler(starter, pages, pauses, supervisor);
  }

  private Term begin() {
    CompositeMeterRegistry meters = new CompositeMeterRegistry();
    meters.add(pages); // first: a registry that is added later misses what was counted before
    boolean begun = false;
    try {
      Scheduling scheduling = starter.apply(meters, deposed::release);
      scheduling.measureIn(pages);
      begun = true;
      return new Term(scheduling, meters, System.nanoTime());
    } finally {
      if (!begun) {
        remove(meters);
      }
    }
  }

  /** The quotas as the scheduler knows them, once its view is complete. */
  Optional<Snapshot> snapshot() {
    Scheduler scheduler = current.scheduling().scheduler();
    return scheduler.isComplete() ? Optional.of(scheduler.snapshot()) : Optional.empty();
  }

  /** An engine in the state of the scheduler; it fails while its view is not complete. */
  CompletableFuture<EngineFork> fork() {
    Scheduler scheduler = current.scheduling().scheduler();
    return scheduler.isComplete()
        ? scheduler.fork()
        : CompletableFuture.failedFuture(new IllegalStateException("not all is listed yet"));
  }

  /** The pages about the current scheduler. */
  List<Page> pages() {
    return Scheduling.pages(() -> current.scheduling().scheduler());
  }

  private void hide(Term term) {
    term.scheduling().measureNoMoreIn(pages);
    remove(term.meters());
  }

  private void remove(CompositeMeterRegistry meters) {
    meters.remove(pages);
    for (Meter meter : List.copyOf(meters.getMeters())) {
      pages.remove(meter.getId());
    }
  }

  private boolean step(Heartbeat heart) throws InterruptedException {
    heart.rest();
    deposed.acquire();
    heart.beat();
    boolean done = false;
    try {
      rejoin(heart);
      done = true;
    } finally {
      if (!done) {
        deposed.release(); // what failed is tried again
      }
    }
    return true;
  }

  private void rejoin(Heartbeat heart) throws InterruptedException {
    boolean early = System.nanoTime() - current.began() < LONG.toNanos();
    Duration now = pauses.after(earlyLosses + 1);
    earlyLosses = early ? earlyLosses + 1 : 0;
    LOG.warn(
        "the Lease is lost: scheduling has stopped, webhooks go on, joining the election again in"
            + " {} s",
        now.toSeconds());
    TimeUnit.NANOSECONDS.sleep(now.toNanos());
    Term begun = succeed();
    while (begun != null && !begun.scheduling().scheduler().isComplete()) {
      heart.beat();
      TimeUnit.NANOSECONDS.sleep(LOOK_AGAIN.toNanos());
    }
    if (begun != null) {
      replaceBy(begun);
    }
  }

  /** The next scheduler, started now unless an attempt before has; null when closed. */
  private synchronized @Nullable Term succeed() {
    if (closed) {
      return null;
    }
    if (next == null) {
      hide(current);
      next = begin();
    }
    return next;
  }

  private void replaceBy(Term begun) {
    Term before;
    synchronized (this) {
      if (closed) {
        return;
      }
      before = current;
      current = begun;
      next = null;
    }
    before.scheduling().close();
    LOG.info("the scheduler has joined the election again");
  }

  @Override
  public void close() {
    Term unfinished;
    synchronized (this) {
      closed = true;
      unfinished = next;
    }
    thread.close(Duration.ofSeconds(2));
    if (unfinished != null) {
      unfinished.scheduling().close();
    }
    current.scheduling().close();
  }
}
