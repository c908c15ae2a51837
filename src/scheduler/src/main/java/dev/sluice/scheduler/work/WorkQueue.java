package dev.sluice.scheduler.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.api.ExponentialBackoff;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.Part;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A queue of keys to reconcile. A key that is added while it waits is reconciled once; a key that
 * is added while it is being reconciled is reconciled again. It holds no more than one entry and
 * one timer for each key. Thread-safe.
 */
public final class WorkQueue<K> implements AutoCloseable {
  private static final ExponentialBackoff PAUSES =
      new ExponentialBackoff(Duration.ofMillis(50), Duration.ofSeconds(30));

  /** The longest that one call may take, see {@link WriteBudget}. */
  private static final Duration DEADLINE = Duration.ofMinutes(5);

  /** Looks at one key. */
  public interface Handler<K> {
    /** Reconciles the object; after an exception it is retried. */
    Result reconcile(K key);
  }

  /** How a look ended. */
  public sealed interface Result {
    /** Nothing is left to do before something changes. */
    record Rest() implements Result {}

    /** To be reconciled again after that time. */
    record Again(Duration after) implements Result {}

    /** It failed: retried with backoff. */
    record Failed() implements Result {}

    /** Nothing is left to do. */
    Result REST = new Rest();

    /** It failed. */
    Result FAILED = new Failed();

    /**
     * To be reconciled again at that time, if there is one. A look sees whole seconds, so one
     * within a second comes at its end: earlier it would ask for that time again, at once.
     */
    static Result at(Optional<Instant> time, InstantSource clock) {
      return time.<Result>map(at -> new Again(Duration.between(clock.instant(), wholeSecond(at))))
          .orElse(REST);
    }

    private static Instant wholeSecond(Instant at) {
      Instant second = at.truncatedTo(ChronoUnit.SECONDS);
      return second.equals(at) || at.equals(Instant.MAX) ? at : second.plusSeconds(1);
    }
  }

  /**
   * A time at which a key is reconciled.
   *
   * @param isServedEarlier whether it is obsolete once the key is reconciled for another reason
   */
  private record Timer(long due, boolean isServedEarlier, ScheduledFuture<?> future) {}

  /**
   * The longest wait of a key: then it is reconciled and waits again. Times come from stored
   * objects, and what is left until the year 9999 is more nanoseconds than a long can hold.
   */
  private static final Duration LONGEST = Duration.ofDays(1);

  private final Part part;
  private final Handler<K> handler;
  private final List<SupervisedThread> threads = new ArrayList<>();
  private final ScheduledThreadPoolExecutor clock;

  /** Virtual threads wait for it more cheaply than for a monitor. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition arrived = lock.newCondition();

  @GuardedBy("lock")
  private final Set<K> ready = new LinkedHashSet<>();

  @GuardedBy("lock")
  private final Set<K> running = new LinkedHashSet<>();

  @GuardedBy("lock")
  private final Set<K> addedMeanwhile = new LinkedHashSet<>();

  @GuardedBy("lock")
  private final Map<K, Timer> timers = new HashMap<>();

  @GuardedBy("lock")
  private final Map<K, Integer> failures = new HashMap<>();

  @GuardedBy("lock")
  private boolean closed;

  /**
   * Starts a queue.
   *
   * @param name of the queue and of its part in the supervisor
   * @param workers the number of keys reconciled in parallel
   */
  public WorkQueue(String name, int workers, Handler<K> handler, Supervisor supervisor) {
    this.part = supervisor.part(name);
    this.handler = handler;
    this.clock =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("sluice-" + name + "-clock").factory());
    clock.setRemoveOnCancelPolicy(true);
    for (int i = 0; i < workers; i++) {
      threads.add(part.thread(Thread.ofVirtual(), DEADLINE, this::step));
    }
    threads.forEach(SupervisedThread::start);
  }

  /** Reconcile the key now. */
  public void add(K key) {
    lock.lock();
    try {
      enter(key);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void enter(K key) {
    if (closed) {
      return;
    }
    if (running.contains(key)) {
      addedMeanwhile.add(key);
    } else if (ready.add(key)) {
      arrived.signal();
    }
  }

  /** Reconcile the key once from now on, at that time or earlier. */
  public void addAfter(K key, Duration delay) {
    lock.lock();
    try {
      enterAfter(key, delay, true);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void enterAfter(K key, Duration delay, boolean isServedEarlier) {
    if (closed) {
      return;
    }
    if (delay.isZero() || delay.isNegative()) {
      enter(key); // a timer would only be a detour
      return;
    }
    long wait = delay.compareTo(LONGEST) < 0 ? delay.toNanos() : LONGEST.toNanos();
    long due = System.nanoTime() + wait;
    Timer known = timers.get(key);
    if (known != null && known.due() - due <= 0) {
      return;
    }
    if (known != null) {
      known.future().cancel(false);
    }
    timers.put(
        key,
        new Timer(
            due,
            isServedEarlier,
            clock.schedule(part.guarded(() -> ring(key)), wait, TimeUnit.NANOSECONDS)));
  }

  private void ring(K key) {
    lock.lock();
    try {
      timers.remove(key);
      enter(key);
    } finally {
      lock.unlock();
    }
  }

  /** The number of keys that are due now. */
  public int size() {
    lock.lock();
    try {
      return ready.size();
    } finally {
      lock.unlock();
    }
  }

  private boolean step(Heartbeat heart) throws InterruptedException {
    K key = take(heart);
    if (key == null) {
      return false;
    }
    Result result = Result.FAILED; // whatever comes: the key is put back and looked at again
    try {
      result = handler.reconcile(key);
    } catch (Exception e) {
      var _ = Thread.interrupted(); // or the worker would not wait for its next key
      part.failed(e, key + " is retried");
    } finally {
      done(key, result);
    }
    return true;
  }

  private @Nullable K take(Heartbeat heart) throws InterruptedException {
    lock.lock();
    try {
      heart.rest();
      while (ready.isEmpty()) {
        if (closed) {
          return null;
        }
        arrived.await();
      }
      K key = ready.iterator().next();
      ready.remove(key);
      running.add(key);
      stopServed(key);
      return key;
    } finally {
      heart.beat();
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void stopServed(K key) {
    Timer timer = timers.get(key);
    if (timer != null && timer.isServedEarlier()) {
      timer.future().cancel(false);
      timers.remove(key);
    }
  }

  private void done(K key, Result result) {
    lock.lock();
    try {
      running.remove(key);
      if (!(result instanceof Result.Failed)) {
        failures.remove(key);
      }
      switch (result) {
        case Result.Rest _ -> {}
        case Result.Again(Duration after) -> enterAfter(key, after, false);
        case Result.Failed _ ->
            enterAfter(key, PAUSES.after(failures.merge(key, 1, Integer::sum)), false);
      }
      if (addedMeanwhile.remove(key)) {
        enter(key);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Looks at nothing more; waits a moment for looks under way. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      ready.clear();
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
    clock.shutdownNow();
    threads.forEach(thread -> thread.finish(Duration.ofSeconds(1)));
  }
}
