package dev.sluice.bench.dispatch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Many calls at the same time. */
final class Together {
  /** As many requests as a manager has under way to one worker. */
  private static final int IN_FLIGHT = 32;

  private Together() {}

  /**
   * Calls with each number below that count.
   *
   * @throws IOException if a call fails
   */
  static void call(int count, IntConsumer call) throws IOException {
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> running = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < IN_FLIGHT; i++) {
        running.add(
            threads.submit(
                () -> {
                  for (int mine = next.getAndIncrement();
                      mine < count;
                      mine = next.getAndIncrement()) {
                    call.accept(mine);
                  }
                }));
      }
      for (Future<?> thread : running) {
        thread.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a create failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
