package dev.sluice.bench.flow;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Processes that a benchmark started. */
public final class Processes {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Processes() {}

  /** Ends a process, kindly first, which lets a profiler write its file. */
  public static void end(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the caller does not wait
      process.destroyForcibly();
    }
  }
}
