package dev.sluice.bench.dispatch;

import static dev.sluice.bench.dispatch.DispatchObjects.API;
import static dev.sluice.bench.dispatch.DispatchObjects.JOBS;
import static dev.sluice.bench.dispatch.DispatchObjects.WORKLOADS;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.bench.flow.FlowCluster;
import dev.sluice.bench.flow.ObjectWatch;
import dev.sluice.bench.flow.Together;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Jobs from their creation to their end, at a steady rate or all at once. Nothing runs Pods: this
 * class ends each Job as soon as it is started.
 */
public final class JobLives {
  /** The queue of a manager whose Jobs run on its workers. */
  static final String SENT = "jobs";

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final FlowCluster manager;
  private final int jobs;
  private final double rate;
  private final Duration bound;

  /** So that each Job has a name of its own. */
  private final AtomicInteger next = new AtomicInteger();

  /** The time of each Job from one moment of its life to another, in nanoseconds, sorted. */
  public record Times(List<Long> sorted) {
    public Times {
      sorted = List.copyOf(sorted);
    }

    private static Times between(Map<String, Long> from, Map<String, Long> to) {
      List<Long> times = new ArrayList<>();
      from.forEach(
          (name, began) -> {
            Long ended = to.get(name);
            if (ended != null) {
              times.add(ended - began);
            }
          });
      Collections.sort(times);
      return new Times(times);
    }

    /** The time, in milliseconds, that this part of the Jobs did not exceed. */
    public double millis(double part) {
      int index = (int) Math.ceil(part * sorted.size()) - 1;
      return sorted.get(Math.max(0, index)) / 1e6;
    }
  }

  /**
   * What was measured of one way to run Jobs.
   *
   * @param toStart from the creation of a Job to the moment at which it, or its copy, is started
   * @param toFinished from the end of what ran to the Workload that says Finished
   */
  public record Lives(Times toStart, Times toFinished) {}

  /** The moments of the Jobs of one queue, by name. */
  private static final class Moments {
    final Map<String, Long> created = new ConcurrentHashMap<>();
    final Map<String, Long> started = new ConcurrentHashMap<>();
    final Map<String, Long> ended = new ConcurrentHashMap<>();
    final Map<String, Long> finished = new ConcurrentHashMap<>();

    Lives lives() {
      return new Lives(Times.between(created, started), Times.between(ended, finished));
    }
  }

  /**
   * Lives that were not begun.
   *
   * @param jobs how many live each time
   * @param rate how many are created in a second
   * @param bound after which each time is given up
   */
  JobLives(FlowCluster manager, int jobs, double rate, Duration bound) {
    this.manager = manager;
    this.jobs = jobs;
    this.rate = rate;
    this.bound = bound;
  }

  /**
   * Lets Jobs live that are created one after the other.
   *
   * @param where they are started
   * @throws IOException if not all are finished within the bound
   */
  Lives steady(String queue, Collection<FlowCluster> where) throws IOException {
    Moments moments = new Moments();
    play(where, moments, () -> create(queue, moments));
    return moments.lives();
  }

  /**
   * Lets Jobs wait in a queue until it is let go.
   *
   * @param where they are started
   * @return how many are finished in a second
   * @throws IOException if not all are finished within the bound
   */
  double atOnce(String queue, Collection<FlowCluster> where) throws IOException {
    ApiClient here = manager.client();
    here.mergePatch(API + "/clusterqueues/" + queue, DispatchObjects.held()).orThrow();
    int before = count(manager);
    Moments moments = new Moments();
    long[] released = new long[1];
    play(
        where,
        moments,
        () -> {
          Together.call(jobs, _ -> createOne(queue, moments));
          await(() -> count(manager) == before + jobs, moments);
          released[0] = System.nanoTime();
          here.mergePatch(API + "/clusterqueues/" + queue, DispatchObjects.released()).orThrow();
        });
    return jobs / ((Collections.max(moments.finished.values()) - released[0]) / 1e9);
  }

  /** Waits until a manager has withdrawn what it sent, which is part of what its Jobs cost. */
  void awaitEmpty(Collection<FlowCluster> there) throws IOException {
    await(() -> there.stream().allMatch(it -> count(it) == 0), new Moments());
  }

  private static int count(FlowCluster cluster) {
    JsonNode list = cluster.client().get(WORKLOADS + "?limit=1").orThrow().json();
    return list.path("items").size() + list.at("/metadata/remainingItemCount").asInt();
  }

  /** What makes Jobs. */
  @FunctionalInterface
  private interface Making {
    void make() throws IOException;
  }

  /** Ends each Job where it is started, until all are finished here. */
  private void play(Collection<FlowCluster> where, Moments moments, Making making)
      throws IOException {
    Queue<String> failures = new ConcurrentLinkedQueue<>();
    List<ObjectWatch> watches = new ArrayList<>();
    try (ExecutorService operators = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        for (FlowCluster cluster : where) {
          watches.add(
              new ObjectWatch(
                  cluster.client(),
                  JOBS,
                  it -> operators.execute(() -> operate(cluster.client(), it, moments, failures)),
                  failures::add));
        }
        watches.add(
            new ObjectWatch(
                manager.client(), WORKLOADS, it -> finished(it, moments), failures::add));
        watches.forEach(ObjectWatch::start);
        making.make();
        await(() -> moments.finished.size() >= jobs || !failures.isEmpty(), moments);
      } finally { // before the operators end, to whom an event would be given
        for (ObjectWatch watch : watches) {
          watch.close();
        }
      }
    }
    if (!failures.isEmpty()) {
      throw new IOException(failures.peek());
    }
  }

  /** What the controller of Jobs would do, once its Pods had succeeded. */
  private static void operate(
      ApiClient client, JsonNode job, Moments moments, Queue<String> failures) {
    String name = job.at("/metadata/name").asText();
    if (job.at("/spec/suspend").asBoolean(true)
        || !moments.created.containsKey(name)
        || moments.started.putIfAbsent(name, System.nanoTime()) != null) {
      return;
    }
    ApiClient.Response answer =
        client.mergePatch(JOBS + "/" + name + "/status", DispatchObjects.succeeded());
    moments.ended.put(name, System.nanoTime());
    if (answer.status() != 200) {
      failures.add("the status of Job %s: %s".formatted(name, answer.body()));
    }
  }

  /** A Workload is finished; its name begins as that of its Job. */
  private static void finished(JsonNode workload, Moments moments) {
    if (ApiClient.hasCondition(workload, "Finished")) {
      String[] parts = workload.at("/metadata/name").asText().split("-", -1);
      String name = String.join("-", Arrays.copyOfRange(parts, 1, parts.length - 1));
      if (moments.created.containsKey(name)) {
        moments.finished.putIfAbsent(name, System.nanoTime());
      }
    }
  }

  /** One Job after the other, whatever becomes of those before. */
  private void create(String queue, Moments moments) {
    long began = System.nanoTime();
    for (int i = 0; i < jobs; i++) {
      long due = began + (long) (i / rate * TimeUnit.SECONDS.toNanos(1));
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      createOne(queue, moments);
    }
  }

  private void createOne(String queue, Moments moments) {
    int number = next.getAndIncrement();
    moments.created.put(queue + "-" + number, System.nanoTime());
    manager.client().create(JOBS, DispatchObjects.job(queue, number, queue.equals(SENT))).orThrow();
  }

  private void await(BooleanSupplier condition, Moments moments) throws IOException {
    if (!Poll.until(bound, PAUSE, condition)) {
      Map<String, Integer> seen = new HashMap<>();
      seen.put("started", moments.started.size());
      seen.put("finished", moments.finished.size());
      throw new IOException("of %d Jobs %s, within %d s".formatted(jobs, seen, bound.toSeconds()));
    }
  }
}
