package dev.sluice.bench.dashboard;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Dashboards that are open: each asks for the tree of queues and for the line of a queue once a
 * second, with what it has, as a page of a queue does.
 */
public final class OpenDashboards implements AutoCloseable {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final DashboardProcess process;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicLong answers = new AtomicLong();
  private final AtomicLong unchanged = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private volatile boolean isOver;

  /**
   * Opens them.
   *
   * @param count how many
   * @param queues of the cluster, over which they are spread
   */
  OpenDashboards(DashboardProcess process, int count, int queues) {
    this.process = process;
    for (int i = 0; i < count; i++) {
      long begin = System.nanoTime() + SECOND * i / count;
      String line = "clusterqueues/" + DashboardWorld.queue(i % queues) + "/line?limit=100";
      threads.execute(() -> poll(begin, line));
    }
  }

  private void poll(long begin, String line) {
    Map<String, String> tags = new HashMap<>();
    for (long due = begin; !isOver; due += SECOND) {
      for (long left = due - System.nanoTime();
          left > 0 && !isOver;
          left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      ask("standing", tags);
      ask(line, tags);
    }
  }

  private void ask(String resource, Map<String, String> tags) {
    try {
      HttpResponse<byte[]> answer = process.ask(resource, tags.getOrDefault(resource, ""));
      answers.incrementAndGet();
      bytes.addAndGet(answer.body().length);
      switch (answer.statusCode()) {
        case 200 -> tags.put(resource, answer.headers().firstValue("ETag").orElse(""));
        case 304 -> unchanged.incrementAndGet();
        default -> failures.incrementAndGet();
      }
    } catch (IOException _) {
      if (!isOver) {
        failures.incrementAndGet();
      }
    }
  }

  /**
   * What was answered.
   *
   * @param unchanged answers without a body
   * @param failures answers of another sort, and none
   */
  public record Seen(long answers, long unchanged, long bytes, long failures) {
    Seen since(Seen before) {
      return new Seen(
          answers - before.answers,
          unchanged - before.unchanged,
          bytes - before.bytes,
          failures - before.failures);
    }
  }

  Seen seen() {
    return new Seen(answers.get(), unchanged.get(), bytes.get(), failures.get());
  }

  @Override
  public void close() {
    isOver = true;
    threads.shutdownNow();
    threads.close();
  }
}
