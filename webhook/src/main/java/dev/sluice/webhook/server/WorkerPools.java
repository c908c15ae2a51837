package dev.sluice.webhook.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * As many threads as processors for requests of medium size, one fewer for large ones, and a
 * virtual thread for each request that may wait. All queues and numbers have a bound. Thread-safe.
 */
public final class WorkerPools implements Workers, AutoCloseable {
  /** A large request takes seconds: of more than these most would run out of time in the queue. */
  private static final int LARGE_QUEUE = 64;

  /** How long {@link #close} waits. Requests were drained before; a certificate check can run. */
  static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  private final ExecutorService medium;
  private final ExecutorService large;
  private final ExecutorService waiting;
  private final Semaphore waits;

  /**
   * Starts no thread yet.
   *
   * @param processors threads of the lane for requests of medium size
   */
  public WorkerPools(int processors, Bounds bounds) {
    this.medium = pool("sluice-worker-", processors, bounds.maxConcurrent());
    int spare = Math.max(1, processors - 1); // large requests leave a processor to all others
    this.large = pool("sluice-large-", spare, Math.min(LARGE_QUEUE, bounds.maxConcurrent()));
    this.waiting =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("sluice-wait-", 0).factory());
    this.waits = new Semaphore(Math.ceilDiv(bounds.maxConcurrent(), 2));
  }

  private static ExecutorService pool(String name, int threads, int queue) {
    return new ThreadPoolExecutor(
        threads,
        threads,
        0,
        TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(queue),
        Thread.ofPlatform().name(name, 0).daemon().factory());
  }

  @Override
  public boolean tryExecute(Lane lane, Runnable work) {
    return switch (lane) {
      case MEDIUM -> tryExecute(medium, work);
      case LARGE -> tryExecute(large, work);
      case WAITING -> tryWait(work);
    };
  }

  private static boolean tryExecute(ExecutorService pool, Runnable work) {
    try {
      pool.execute(work);
      return true;
    } catch (RejectedExecutionException e) {
      if (pool.isShutdown()) {
        throw e;
      }
      return false;
    }
  }

  private boolean tryWait(Runnable work) {
    if (!waits.tryAcquire()) {
      return false;
    }
    boolean begun = false;
    try {
      waiting.execute(() -> runAndRelease(work));
      begun = true;
    } finally {
      if (!begun) {
        waits.release();
      }
    }
    return true;
  }

  private void runAndRelease(Runnable work) {
    try {
      work.run();
    } finally {
      waits.release();
    }
  }

  /** Takes no more work. Waits up to {@link #CLOSE_LIMIT} for what is under way. */
  @Override
  public void close() {
    List<ExecutorService> pools = List.of(medium, large, waiting);
    pools.forEach(ExecutorService::shutdown);
    long end = System.nanoTime() + CLOSE_LIMIT.toNanos();
    try {
      for (ExecutorService pool : pools) {
        pool.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the caller is in a hurry: leave the work to itself
    }
  }
}
