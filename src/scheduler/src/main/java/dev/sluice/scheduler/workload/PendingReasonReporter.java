package dev.sluice.scheduler.workload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Writes the pending reason of Workloads. Each is written after a short delay, since most are
 * admitted within it, the longest pending first. These writes must not slow down admissions: while
 * Workloads are being admitted or evicted, one reason is written for fifty of them, and one a
 * second. A burst is still sent at once. A Workload for which others are evicted is told of after a
 * second, whatever else is written: until then most have their quota, and one write tells of both.
 * Thread-safe; one thread of its own sends the writes.
 */
final class PendingReasonReporter implements AutoCloseable {
  private static final long PATIENCE = Duration.ofMillis(200).toNanos();
  private static final long PATIENCE_OF_PREEMPTORS = Duration.ofSeconds(1).toNanos();
  private static final long CALM_AFTER = Duration.ofSeconds(2).toNanos();

  /** The longest that telling one, or the pause after it, may take. */
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  private static final double BURST = 100;
  private static final double PER_SECOND = 200;
  private static final double PER_SECOND_WHEN_BUSY = 1; // and more with decisions
  private static final double PER_DECISION = 0.02;
  private static final double NANOS = 1e9;

  private final Predicate<ObjectKey> tell;
  private final LongSupplier nanoTime;
  private final SupervisedThread thread;

  /** When each may be told, in the order in which they came. */
  @GuardedBy("this")
  private final Map<ObjectKey, Long> waiting = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Map<ObjectKey, Long> preemptors = new LinkedHashMap<>();

  private final AtomicInteger decisions = new AtomicInteger(); // that were not counted yet
  private volatile long busyAt;
  private double left = BURST; // of the thread, as is the next
  private long countedAt;

  /**
   * Starts the thread.
   *
   * @param tell writes the reason of one; returns whether that was needed
   * @param nanoTime a clock of nanoseconds
   */
  PendingReasonReporter(Predicate<ObjectKey> tell, LongSupplier nanoTime, Supervisor supervisor) {
    this.tell = tell;
    this.nanoTime = nanoTime;
    this.countedAt = nanoTime.getAsLong();
    this.busyAt = countedAt - CALM_AFTER;
    this.thread =
        supervisor.part("pending-reasons").thread(Thread.ofVirtual(), DEADLINE, this::step).start();
  }

  /** Adds a pending Workload; a known one keeps its place. */
  synchronized void add(ObjectKey workload) {
    add(workload, waiting, PATIENCE);
  }

  /** Adds a pending Workload for which others are evicted. */
  synchronized void addPreemptor(ObjectKey workload) {
    add(workload, preemptors, PATIENCE_OF_PREEMPTORS);
  }

  @GuardedBy("this")
  private void add(ObjectKey workload, Map<ObjectKey, Long> line, long patience) {
    if (line.putIfAbsent(workload, nanoTime.getAsLong() + patience) == null) {
      notifyAll();
    }
  }

  /** A Workload is being admitted or evicted. */
  void busy() {
    busyAt = nanoTime.getAsLong();
    decisions.incrementAndGet();
  }

  /**
   * The next to be told.
   *
   * @param spends whether it takes one from the budget
   */
  private record Turn(ObjectKey workload, boolean spends) {}

  private boolean step(Heartbeat heart) throws InterruptedException {
    heart.rest();
    Turn turn = next();
    heart.beat();
    boolean told = false;
    try {
      if (tell.test(turn.workload()) && turn.spends()) {
        left--;
      }
      told = true;
    } finally {
      if (!told) {
        putBack(turn);
      }
    }
    return true;
  }

  private void putBack(Turn turn) {
    if (turn.spends()) {
      add(turn.workload());
    } else {
      addPreemptor(turn.workload());
    }
  }

  private synchronized Turn next() throws InterruptedException {
    while (true) {
      long now = nanoTime.getAsLong();
      earn(now);
      long preemptor = nanosUntilFirst(preemptors, now);
      if (preemptor <= 0) {
        return new Turn(takeFirst(preemptors), false);
      }
      long other = Math.max(nanosUntilFirst(waiting, now), nanosUntilEarned());
      if (other <= 0) {
        return new Turn(takeFirst(waiting), true);
      }
      long wait = Math.min(preemptor, other);
      if (wait == Long.MAX_VALUE) {
        wait();
      } else {
        TimeUnit.NANOSECONDS.timedWait(this, wait);
      }
    }
  }

  private static long nanosUntilFirst(Map<ObjectKey, Long> line, long now) {
    Iterator<Long> due = line.values().iterator();
    return due.hasNext() ? due.next() - now : Long.MAX_VALUE;
  }

  private static ObjectKey takeFirst(Map<ObjectKey, Long> line) {
    Iterator<ObjectKey> keys = line.keySet().iterator();
    ObjectKey first = keys.next();
    keys.remove();
    return first;
  }

  private long nanosUntilEarned() {
    return left >= 1 ? 0 : Math.round((1 - left) / rate() * NANOS);
  }

  private void earn(long now) {
    double earned = (now - countedAt) / NANOS * rate() + decisions.getAndSet(0) * PER_DECISION;
    left = Math.min(BURST, left + earned);
    countedAt = now;
  }

  private double rate() {
    return nanoTime.getAsLong() - busyAt < CALM_AFTER ? PER_SECOND_WHEN_BUSY : PER_SECOND;
  }

  @Override
  public void close() {
    thread.close(Duration.ZERO);
  }
}
