package dev.sluice.webhook.server;

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

  /** Takes no more; what is under way may finish. Does not wait for it. */
  @Override
  public void close() {
    medium.shutdown();
    large.shutdown();
    waiting.shutdown();
  }
}
