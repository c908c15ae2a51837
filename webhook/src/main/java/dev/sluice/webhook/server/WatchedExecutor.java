package dev.sluice.webhook.server;

import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.Part;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An executor that reports what its tasks throw, and whose heartbeat is late when tasks wait and
 * none begins or ends. Thread-safe.
 */
public final class WatchedExecutor implements Executor {
  /** Longer than any request may take. */
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private final Executor executor;
  private final Part part;
  private final Heartbeat heart;
  private final AtomicInteger pending = new AtomicInteger();

  /** Hands tasks on to that executor, whose threads are that part. */
  public WatchedExecutor(Executor executor, Part part) {
    this.executor = executor;
    this.part = part;
    this.heart = part.heartbeat(DEADLINE);
  }

  @Override
  public void execute(Runnable task) {
    if (pending.getAndIncrement() == 0) {
      heart.beat();
    }
    boolean accepted = false;
    try {
      executor.execute(() -> run(task));
      accepted = true;
    } finally {
      if (!accepted) {
        ended();
      }
    }
  }

  private void run(Runnable task) {
    heart.beat();
    try {
      task.run();
    } catch (Throwable t) {
      part.failed(t, "the tasks after it go on");
    } finally {
      ended();
    }
  }

  private void ended() {
    if (pending.decrementAndGet() == 0) {
      heart.rest();
    }
    if (pending.get() > 0) { // also of a task that came while the heart was put to rest
      heart.beat();
    }
  }
}
