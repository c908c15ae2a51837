package dev.sluice.supervision;

import dev.sluice.api.ExponentialBackoff;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A thread that takes one step after another until a step says that it was the last, or until it is
 * closed. A step that throws an exception is counted and logged, and the next one follows after a
 * pause of 100 ms that doubles up to 10 s. A step that throws an {@link Error} ends the process. An
 * interrupt that does not come from {@link #close} is a failure like any other. Thread-safe.
 */
public final class SupervisedThread {
  private static final ExponentialBackoff PAUSES =
      new ExponentialBackoff(Duration.ofMillis(100), Duration.ofSeconds(10));

  /** What the thread does. */
  @FunctionalInterface
  public interface Step {
    /**
     * Takes one step. What it has in hand when it throws must be there for the next one.
     *
     * @param heart rests while it waits for work; it beats before and after each step
     * @return whether another step follows
     * @throws Exception if it failed and has to be repeated
     */
    boolean take(Heartbeat heart) throws Exception;
  }

  private final Part part;
  private final Step step;
  private final Heartbeat heart;
  private final Thread thread;
  private volatile boolean closed;

  SupervisedThread(Part part, Thread.Builder builder, Duration deadline, Step step) {
    this.part = part;
    this.step = step;
    this.heart = part.heartbeat(deadline);
    this.thread = builder.unstarted(this::run);
  }

  /** Starts the thread; to be called once. */
  public SupervisedThread start() {
    thread.start();
    return this;
  }

  /** Whether it was told to end; a step that waits in a loop of its own looks at it. */
  public boolean isClosed() {
    return closed;
  }

  private void run() {
    int failures = 0;
    boolean more = true;
    try {
      while (more && !closed) {
        try {
          var _ = Thread.interrupted(); // a stray one, which a step only noted
          heart.beat();
          more = step.take(heart);
          heart.succeeded();
          failures = 0;
        } catch (Throwable t) { // whatever it is, this is the last place that can answer for it
          more = goesOnAfter(t, failures++);
        }
      }
    } finally {
      heart.close();
    }
  }

  /** Whether the thread goes on; if so, after a pause. */
  private boolean goesOnAfter(Throwable failure, int failuresBefore) {
    if (failure instanceof Error) {
      part.failed(failure, "");
      return false; // only where a test records the end instead of making it
    }
    if (closed) {
      return false;
    }
    var _ =
        Thread.interrupted(); // or the pause and the next wait of the next step would end at once
    heart.failed(failure);
    part.failed(failure, "it is restarted");
    try {
      TimeUnit.NANOSECONDS.sleep(PAUSES.after(failuresBefore + 1).toNanos());
    } catch (InterruptedException _) {
      return !closed; // an interrupt of somebody else only shortens the pause
    }
    return !closed;
  }

  /**
   * Ends the thread after the step under way, which is interrupted if it takes longer than that
   * time.
   */
  public void finish(Duration patience) {
    closed = true;
    heart.close();
    await(patience);
    thread.interrupt();
  }

  /**
   * Ends the thread: no further step, and what it waits for is interrupted. Waits until it has
   * ended, but no longer than that time.
   */
  public void close(Duration patience) {
    closed = true;
    thread.interrupt();
    heart.close();
    await(patience);
  }

  private void await(Duration patience) {
    if (thread.getState() == Thread.State.NEW || Thread.currentThread().equals(thread)) {
      return;
    }
    try {
      thread.join(patience);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the caller is in a hurry
    }
  }
}
