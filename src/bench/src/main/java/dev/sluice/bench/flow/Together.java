package dev.sluice.bench.flow;

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
public final class Together {
  /** As many requests as a manager has under way to one worker. */
  private static final int IN_FLIGHT = 32;

  private Together() {}

  /**
   * Calls with each number below that count.
   *
   * @throws IOException if a call fails
   */
  public static void call(int count, IntConsumer call) throws IOException {
    AtomicInteger next = new AtomicInteger();
    run(
        IN_FLIGHT,
        () -> {
          for (int mine = next.getAndIncrement(); mine < count; mine = next.getAndIncrement()) {
            call.accept(mine);
          }
        });
  }

  /**
   * Runs a task on so many threads, and waits until all are done.
   *
   * @throws IOException if one of them fails
   */
  static void run(int count, Runnable task) throws IOException {
    List<Future<?>> running = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < count; i++) {
        running.add(threads.submit(task));
      }
      for (Future<?> thread : running) {
        thread.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a call failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
