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
import org.jspecify.annotations.Nullable;

/**
 * Writes the pending reason of Workloads that were not evaluated themselves. Each is written after
 * a short delay, since most are admitted within it, the longest pending first. These writes must
 * not slow down admissions: while Workloads are being admitted or evicted, one reason is written
 * for fifty of them, and one a second. A burst is still sent at once. Thread-safe; one thread of
 * its own sends the writes.
 */
final class PendingReasonReporter implements AutoCloseable {
  private static final long PATIENCE = Duration.ofMillis(200).toNanos();
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

  @GuardedBy("this")
  private final Map<ObjectKey, Long> due = new LinkedHashMap<>();

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
    if (due.putIfAbsent(workload, nanoTime.getAsLong() + PATIENCE) == null) {
      notifyAll();
    }
  }

  /** A Workload is being admitted or evicted. */
  void busy() {
    busyAt = nanoTime.getAsLong();
    decisions.incrementAndGet();
  }

  private boolean step(Heartbeat heart) throws InterruptedException {
    heart.rest();
    ObjectKey next = next();
    heart.beat();
    boolean told = false;
    try {
      if (tell.test(next)) {
        spend();
      }
      told = true;
    } finally {
      if (!told) {
        add(next);
      }
    }
    return true;
  }

  private synchronized ObjectKey next() throws InterruptedException {
    while (true) {
      Iterator<Map.Entry<ObjectKey, Long>> oldest = due.entrySet().iterator();
      Map.@Nullable Entry<ObjectKey, Long> entry = oldest.hasNext() ? oldest.next() : null;
      long patience = entry == null ? Long.MAX_VALUE : entry.getValue() - nanoTime.getAsLong();
      if (entry != null && patience <= 0) {
        ObjectKey key = entry.getKey();
        oldest.remove();
        return key;
      }
      if (entry == null) {
        wait();
      } else {
        TimeUnit.NANOSECONDS.timedWait(this, patience);
      }
    }
  }

  /** Takes one from the budget, and waits until there is one. */
  private void spend() throws InterruptedException {
    left--;
    earn();
    while (left < 1) {
      TimeUnit.NANOSECONDS.sleep(Math.round((1 - left) / rate() * NANOS));
      earn();
    }
  }

  private void earn() {
    long now = nanoTime.getAsLong();
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
