package dev.sluice.cli.hostile;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** So many threads that do the same, each with a number. */
final class Attackers {
  private Attackers() {}

  /** What one of them does. */
  interface Work {
    void run(int attacker) throws Exception;
  }

  /** Waits until all are done. */
  static void run(int threads, Work work) throws InterruptedException, ExecutionException {
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Callable<Void>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int attacker = i;
        all.add(
            () -> {
              work.run(attacker);
              return null;
            });
      }
      for (Future<Void> one : pool.invokeAll(all)) {
        one.get();
      }
    }
  }
}
