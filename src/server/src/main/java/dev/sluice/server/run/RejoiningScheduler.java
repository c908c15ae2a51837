package dev.sluice.server.run;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.api.ExponentialBackoff;
import dev.sluice.quota.Snapshot;
import dev.sluice.scheduler.Scheduler;
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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduler of a process that also serves. When it loses the Lease, it stops to write, and a
 * new one joins the election after a pause; until that one has seen the cluster, the old one goes
 * on watching, so that admission always knows the quotas. Thread-safe.
 */
final class RejoiningScheduler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RejoiningScheduler.class);
  private static final ExponentialBackoff PAUSES =
      new ExponentialBackoff(Duration.ofSeconds(5), Duration.ofMinutes(1));

  /** A scheduler that led for so long lost the Lease by an accident, not by a fault that stays. */
  private static final Duration LONG = Duration.ofMinutes(5);

  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  private final BiFunction<MeterRegistry, Runnable, Scheduling> starter;
  private final Semaphore deposed = new Semaphore(0);
  private final SupervisedThread thread;
  private int earlyLosses; // in a row; of the thread

  @GuardedBy("this")
  private @Nullable MeterRegistry pages;

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
      BiFunction<MeterRegistry, Runnable, Scheduling> starter, Supervisor supervisor) {
    this.starter = starter;
    this.current = begin();
    this.thread =
        supervisor.part("rejoin").thread(Thread.ofVirtual(), DEADLINE, this::step).start();
  }

  /**
   * Starts one; returns at once.
   *
   * @param starter starts a scheduler, which tells the registry what it measures and calls the
   *     runnable when it is deposed
   */
  static RejoiningScheduler start(
      BiFunction<MeterRegistry, Runnable, Scheduling> starter, Supervisor supervisor) {
    return new RejoiningScheduler(starter, supervisor);
  }

  private Term begin() {
    CompositeMeterRegistry meters = new CompositeMeterRegistry();
    return new Term(starter.apply(meters, deposed::release), meters, System.nanoTime());
  }

  /** The quotas as the scheduler knows them, once it has seen all. */
  Optional<Snapshot> snapshot() {
    Scheduler scheduler = current.scheduling().scheduler();
    return scheduler.isComplete() ? Optional.of(scheduler.snapshot()) : Optional.empty();
  }

  /** The pages about the scheduler, which ask the one that is current. */
  List<Page> pages() {
    return Scheduling.pages(() -> current.scheduling().scheduler());
  }

  /** Shows what is measured of the scheduler there, whichever it is. */
  synchronized void measureIn(MeterRegistry registry) {
    pages = registry;
    show(current, registry);
  }

  private static void show(Term term, MeterRegistry registry) {
    term.meters().add(registry);
    term.scheduling().measureIn(registry);
  }

  private static void hide(Term term, MeterRegistry registry) {
    term.scheduling().measureNoMoreIn(registry);
    term.meters().remove(registry);
    for (Meter meter : List.copyOf(term.meters().getMeters())) {
      registry.remove(meter.getId());
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
    Duration now = PAUSES.after(earlyLosses + 1);
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
      if (pages != null) {
        hide(current, pages);
      }
      next = begin();
      if (pages != null) {
        show(next, pages);
      }
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
