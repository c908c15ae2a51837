package dev.sluice.supervision;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A part of a process: one thread, or several that do the same. All that fails in it comes here.
 * Thread-safe.
 */
public final class Part {
  private static final Logger LOG = LoggerFactory.getLogger(Part.class);

  private final String name;
  private final Supervisor supervisor;
  private final LongAdder failures = new LongAdder();
  private final CauseLog causes;

  Part(String name, Supervisor supervisor) {
    this.name = name;
    this.supervisor = supervisor;
    this.causes = new CauseLog(supervisor::nanoTime);
  }

  /** Its name, as in {@code sluice_failures_total{part}}. */
  public String name() {
    return name;
  }

  /** How often it failed. */
  public long failures() {
    return failures.sum();
  }

  /**
   * Records an unexpected failure. An {@link Error} ends the process, because its effect on shared
   * state is unknown; another failure is logged, the same cause once a minute.
   *
   * @param whatNext what happens next, for the log, such as {@code it is retried}
   */
  public void failed(Throwable cause, String whatNext) {
    failures.increment();
    if (cause instanceof Error) {
      end("failed with " + cause, cause);
      return;
    }
    long times = causes.happened(cause);
    if (times > 0) {
      String before = times > 1 ? " (" + times + " times in a minute or more)" : "";
      LOG.error("{} failed with {}{}; {}", name, cause.toString(), before, whatNext, cause);
    }
  }

  /**
   * Ends the process because of this part.
   *
   * @param why what is wrong with it, a predicate
   * @param cause logged with its stack
   */
  public void end(String why, Throwable cause) {
    try {
      supervisor.lastWords(name + " " + why, cause);
    } finally {
      supervisor.end().halt(ProcessEnd.BROKEN, "the part " + name + " " + why);
    }
  }

  /** Wraps a task of this part for an executor that would swallow its exceptions. */
  public Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (Throwable t) {
        failed(t, "its other tasks go on");
      }
    };
  }

  /**
   * A heartbeat of this part, idle until its first beat.
   *
   * @param deadline the longest time between two beats while busy
   */
  public Heartbeat heartbeat(Duration deadline) {
    return supervisor.heartbeat(name, deadline);
  }

  /** A thread of this part; {@link SupervisedThread#start} starts it. */
  public SupervisedThread thread(
      Thread.Builder builder, Duration deadline, SupervisedThread.Step step) {
    return new SupervisedThread(this, builder.name("sluice-" + name), deadline, step);
  }
}
